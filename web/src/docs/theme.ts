/** Runs before anything is painted: applies the chosen theme. */
{
  const chosen = localStorage.getItem("pincer.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset["theme"] = chosen;
}
