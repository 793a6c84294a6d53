// Light, dark, or as the system has it. Not a module, as it has to be done before anything is drawn.
{
  const KEY = "theme";
  const root = document.documentElement;

  // A browser may forbid to keep anything; then the choice lasts as long as the page.
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
      // Nothing depends on it.
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
