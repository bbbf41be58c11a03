/** What the page is made of. */
export const pageHtml = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Pincer</title>
<link rel="stylesheet" href="/page.css">
<link rel="icon" href="data:,">
<main>
  <header><h1>Pincer</h1><p id="state" role="status"></p></header>
  <form id="sign-in" hidden>
    <label for="secret" id="secret-label"></label>
    <input id="secret" type="password" autocomplete="current-password" required>
    <button id="sign-in-button"></button>
  </form>
  <section id="talk" hidden>
    <ol id="said" aria-live="polite"></ol>
    <form id="ask">
      <label for="words" id="words-label"></label>
      <textarea id="words" rows="3" required></textarea>
      <button id="send"></button>
    </form>
    <p><button id="sign-out" type="button"></button></p>
  </section>
</main>
<script src="/page.js" type="module"></script>
</html>
`;

export const pageCss = `
[hidden] { display: none !important; }
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; }
main { max-width: 44rem; margin: 0 auto; padding: 1rem; }
header { display: flex; gap: 1rem; align-items: baseline; flex-wrap: wrap; }
h1 { margin: 0; }
ol { list-style: none; padding: 0; }
li { white-space: pre-wrap; overflow-wrap: anywhere; padding: .5rem .75rem; margin: .5rem 0; border-radius: .5rem; border: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
li.mine { background: color-mix(in srgb, currentColor 8%, transparent); }
form { display: grid; gap: .5rem; }
textarea, input, button { font: inherit; padding: .5rem; }
`;
