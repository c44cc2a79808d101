// Runs in the page and returns a sentence for each accessibility problem.
(() => {
  const problems = [];
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });

  /** Red, green, blue and opacity of any CSS colour. */
  const read = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const colours = new Map();
  const rgba = (colour) => {
    if (!colours.has(colour)) colours.set(colour, read(colour));
    return colours.get(colour);
  };
  const backgroundOf = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = rgba(getComputedStyle(at).backgroundColor);
      if (colour[3] > 0) return colour;
    }
    return rgba(matchMedia('(prefers-color-scheme: dark)').matches ? 'black' : 'white');
  };
  /** Relative luminance and contrast as WCAG 2.2 defines them. */
  const luminance = (colour) => {
    const [r, g, b] = colour.slice(0, 3).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (light + 0.05) / (dark + 0.05);
  };

  const seen = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || seen.has(element) || element.closest('script, style, svg')) continue;
    seen.add(element);
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const size = Number.parseFloat(fontSize);
    const needed = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700) ? 3 : 4.5;
    const found = contrast(rgba(color), backgroundOf(element));
    if (found < needed)
      problems.push(`contrast ${found.toFixed(2)} of "${walker.currentNode.textContent.trim().slice(0, 30)}"`);
  }

  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
  for (const id of new Set(ids.filter((id, index) => ids.indexOf(id) !== index)))
    problems.push(`id ${id} occurs twice`);
  for (const link of document.querySelectorAll('a[href*="#"]')) {
    const target = decodeURIComponent(link.hash.slice(1));
    if (link.origin === location.origin && link.pathname === location.pathname && !document.getElementById(target))
      problems.push(`#${target} leads nowhere`);
  }
  for (const control of document.querySelectorAll('a, button, summary')) {
    const named = control.hasAttribute('aria-label') ? control : control.querySelector('[aria-label]');
    const label = control.textContent.trim() || named?.getAttribute('aria-label');
    if (!label) problems.push(`${control.outerHTML.slice(0, 60)} has no name`);
  }
  let level = 0;
  for (const heading of document.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    const next = Number(heading.tagName.slice(1));
    if (next > level + 1) problems.push(`"${heading.textContent}" is h${next} below h${level}`);
    level = next;
  }
  if (document.querySelectorAll('h1').length !== 1) problems.push('not exactly one h1');
  if (document.querySelectorAll('main').length !== 1) problems.push('not exactly one main');
  if (!document.documentElement.lang) problems.push('no language');
  for (const labelled of document.querySelectorAll('[aria-labelledby]'))
    for (const id of labelled.getAttribute('aria-labelledby').split(' ').filter(Boolean))
      if (!document.getElementById(id)) problems.push(`the label ${id} is missing`);
  for (const block of document.querySelectorAll('pre'))
    if (block.scrollWidth > block.clientWidth && block.tabIndex !== 0)
      problems.push('code scrolls without the keyboard');
  return problems;
})();
