/** Runs before anything is painted: the theme that was chosen, here or in the page. */
{
  const chosen = localStorage.getItem("pincer.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset["theme"] = chosen;
}
