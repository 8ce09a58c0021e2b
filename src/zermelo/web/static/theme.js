// Light or dark, before anything is painted.
(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const set = () => {
    document.documentElement.dataset.theme = localStorage.getItem("theme") || (system.matches ? "dark" : "light");
    document.dispatchEvent(new Event("theme"));
  };
  system.addEventListener("change", set);
  window.toggleTheme = () => {
    localStorage.setItem("theme", document.documentElement.dataset.theme === "dark" ? "light" : "dark");
    set();
  };
  set();
})();
