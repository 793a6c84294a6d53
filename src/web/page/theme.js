// Light colours, dark colours, or those of the system. Not a module, because it has to run before the page is drawn.
{
  const KEY = "theme";
  const root = document.documentElement;

  // A browser may forbid storage; then the choice lasts until the page is closed.
  const kept = () => {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  };
  const keep = (theme) => {
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // The choice holds for this visit.
    }
  };

  root.dataset.theme = kept() ?? "auto";

  addEventListener("DOMContentLoaded", () => {
    for (const radio of document.querySelectorAll("input[name=theme]")) {
      radio.checked = radio.value === root.dataset.theme;
      radio.addEventListener("change", () => {
        root.dataset.theme = radio.value;
        keep(radio.value);
      });
    }
  });
}
