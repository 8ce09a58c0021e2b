// What is wrong with the page for those who read it, or have it read to them: a list of complaints.
() => {
  const numbers = (text) => (text.match(/[\d.]+/g) || []).map(Number);
  const colour = (text) => numbers(text).map((one, i) => (text.startsWith("color(") && i < 3 ? 255 * one : one));
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * (top[3] ?? 1) + below[i] * (1 - (top[3] ?? 1)));

  // Relative luminance, as WCAG 2 defines it.
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    const layers = [];
    for (let one = element; one; one = one.parentElement) layers.unshift(colour(getComputedStyle(one).backgroundColor));
    return layers.reduce((below, top) => (top.length > 2 ? over(top, below) : below), [255, 255, 255]);
  };
  const ratio = (element) => {
    const below = ground(element), ink = over(colour(getComputedStyle(element).color), below);
    const [light, dark] = [luminance(ink), luminance(below)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };

  const complaints = [];
  const left = ":disabled, .unseen, #toast, noscript, dialog:not([open]), svg";
  for (const element of document.querySelectorAll("body *")) {
    const hasText = [...element.childNodes].some((one) => one.nodeType === 3 && one.textContent.trim());
    if (!hasText || !element.checkVisibility() || element.closest(left)) continue;
    const wanted = parseFloat(getComputedStyle(element).fontSize) >= 24 ? 3 : 4.5;
    if (ratio(element) < wanted) complaints.push(`contrast ${ratio(element).toFixed(2)}: ${element.outerHTML.slice(0, 100)}`);
  }
  const speaking = "button, select, input, textarea, a[href], dialog[open], "
    + "[role=tab], [role=tabpanel], [role=slider], [role=application], [role=img], [role=group]";
  for (const element of document.querySelectorAll(speaking)) {
    const label = element.getAttribute("aria-label") || document.getElementById(element.getAttribute("aria-labelledby"));
    if (!element.checkVisibility() || label || element.textContent.trim() || element.labels?.length) continue;
    complaints.push(`no name: ${element.outerHTML.slice(0, 100)}`);
  }
  return complaints;
}
