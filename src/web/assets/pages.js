// Progressive enhancement: the pages work without this script.

for (const block of document.querySelectorAll('.code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(block.querySelector('code').textContent);
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(block.querySelector('code'));
      button.textContent = 'Press Ctrl+C';
    }
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  });
  block.append(button);
}

// A link to a closed schema opens it.
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const details = target?.closest('details');
  if (!details) return;
  details.open = true;
  target.scrollIntoView();
}
addEventListener('hashchange', openTarget);
openTarget();

// Highlights the current section in the table of contents.
const contents = document.querySelector('.contents');
if (contents) {
  const links = new Map();
  for (const link of contents.querySelectorAll('a')) links.set(link.hash.slice(1), link);
  const visible = new Set();
  let current;
  const mark = (link) => {
    if (link === current) return;
    current?.removeAttribute('aria-current');
    link.setAttribute('aria-current', 'true');
    current = link;
    const group = link.closest('details');
    for (const other of contents.querySelectorAll('details')) {
      if (other !== group && other.dataset.auto) {
        other.open = false;
        delete other.dataset.auto;
      }
    }
    if (getComputedStyle(contents).position !== 'sticky') return;
    if (group && !group.open) {
      group.open = true;
      group.dataset.auto = 'yes';
    }
    link.scrollIntoView({ block: 'nearest' });
  };
  const watched = [...document.querySelectorAll('.endpoint, .chapter')];
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) visible.add(target);
        else visible.delete(target);
      }
      const first = watched.find((part) => visible.has(part));
      const link = first && links.get(first.id || first.dataset.part);
      if (link) mark(link);
    },
    { rootMargin: '-10% 0px -60% 0px' },
  );
  for (const part of watched) observer.observe(part);
}
