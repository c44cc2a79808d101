// Progressive enhancement: the public pages work without this script.

/** @param {string} name */
const cookie = (name) =>
  document.cookie
    .split('; ')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);

/** Texts that scripts insert, in the language of the page. */
const texts = document.body.dataset;

// Number of places in the cart.
const count = Number(cookie('marquee-cart-count') ?? 0);
const cart = document.querySelector('[data-cart]');
if (cart && count > 0) cart.append(` (${count})`);

// Remaining time of the hold, independent of the clock of the device; announced when five and two minutes are left.
for (const notice of document.querySelectorAll('[data-seconds]')) {
  const until = Date.now() + Number(notice.dataset.seconds) * 1000;
  const clock = notice.appendChild(document.createElement('span'));
  const spoken = notice.appendChild(document.createElement('span'));
  spoken.className = 'visually-hidden';
  spoken.setAttribute('role', 'status');
  let before = Number(notice.dataset.seconds);
  const tick = () => {
    const left = Math.max(0, Math.round((until - Date.now()) / 1000));
    clock.textContent = ` (${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')})`;
    const mark = [2, 5].find((minutes) => left <= minutes * 60 && before > minutes * 60);
    if (mark) spoken.textContent = notice.dataset[`at-${mark}`];
    before = left;
    if (left > 0) return;
    // The form stays with its typed values: its buttons try to get the places back.
    clearInterval(timer);
    notice.textContent = notice.dataset.over;
    notice.setAttribute('role', 'alert');
  };
  const timer = setInterval(tick, 1000);
  tick();
}

// Time of an event in the time zone of the visitor, if it differs.
for (const time of document.querySelectorAll('time[data-zone]')) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const { lang } = document.documentElement;
  const at = new Date(time.dateTime);
  const shown = (zone) =>
    at.toLocaleString(lang === 'en' ? 'en-GB' : lang, {
      ...{ timeZone: zone, weekday: 'short', day: 'numeric', month: 'short' },
      ...{ hour: '2-digit', minute: '2-digit' },
    });
  if (timeZone === time.dataset.zone || shown(timeZone) === shown(time.dataset.zone)) continue;
  const own = time.parentElement.appendChild(document.createElement('span'));
  own.className = 'own-time';
  own.textContent = `${texts.yourTime} ${shown(timeZone)}`;
}

// Close menus on Escape, and on a click or focus elsewhere.
const menus = document.querySelectorAll('details.menu');
for (const event of ['click', 'focusin'])
  document.addEventListener(event, ({ target }) => {
    for (const menu of menus) if (!menu.contains(target)) menu.open = false;
  });
document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return;
  const menu = document.querySelector('details.menu[open]');
  if (menu) {
    menu.open = false;
    menu.querySelector('summary').focus();
  }
  // The card of an event, until the pointer or the focus comes back.
  for (const bar of document.querySelectorAll('.bar:is(:hover, :focus-within)')) {
    bar.classList.add('is-dismissed');
    for (const event of ['pointerleave', 'focusout'])
      bar.addEventListener(event, () => bar.classList.remove('is-dismissed'), { once: true });
  }
});

// Buttons beside the number of tickets.
for (const field of document.querySelectorAll('.ticket-list input[type=number]')) {
  const { fewer, more } = field.closest('ul').dataset;
  const steps = document.createElement('span');
  steps.className = 'steps';
  field.replaceWith(steps);
  const button = (sign, label, step) => {
    const made = Object.assign(document.createElement('button'), {
      type: 'button',
      className: 'quiet',
      textContent: sign,
    });
    made.setAttribute('aria-label', `${label}: ${field.labels[0].textContent}`);
    made.addEventListener('click', () => field[step]());
    return made;
  };
  steps.append(field);
  steps.prepend(button('−', fewer, 'stepDown'));
  steps.append(button('+', more, 'stepUp'));
}

// Hide the bar that leads to the tickets while these are visible.
const bar = document.querySelector('[data-bar]');
if (bar) {
  const { hash } = bar.querySelector('a');
  const seen = new Set();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) seen[isIntersecting ? 'add' : 'delete'](target);
      bar.hidden = seen.size > 0;
    },
    { rootMargin: '0px 0px -10%' },
  );
  for (const target of document.querySelectorAll(`${hash}, .way-in`)) observer.observe(target);
}

// Orders made on this device: customers find them again without an account.
const KEY = 'marquee-orders';
const known = () => {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]');
  } catch {
    return [];
  }
};
const order = document.querySelector('[data-order]');
if (order) {
  const { order: title, pay, until } = order.dataset;
  const { pathname: path } = location;
  // An RSVP for several people has the addresses of its tickets, which have no entry of their own, in any language.
  const holds = order.dataset.holds?.split(' ') ?? [];
  const isIn = (one, all = []) => all.some((held) => one.endsWith(held));
  const others = known().filter((other) => other.path !== path && !isIn(other.path, holds));
  if (!others.some((other) => isIn(path, other.holds)))
    localStorage.setItem(KEY, JSON.stringify([{ path, title, pay, until, holds }, ...others].slice(0, 50)));
}
const list = document.querySelector('[data-orders]');
if (list) {
  const orders = known();
  list.querySelector('[data-none]').hidden = orders.length > 0;
  const items = list.querySelector('ul');
  const linkTo = (href, textContent) => Object.assign(document.createElement('a'), { href, textContent });
  const links = new Map();
  for (const entry of orders) {
    const { path, title, pay, until } = entry;
    if (!/^\/(?!\/)/.test(path)) continue;
    const item = items.appendChild(document.createElement('li'));
    links.set(entry, item.appendChild(linkTo(path, title)));
    const isPayable = pay && (!until || Date.parse(until) > Date.now());
    if (isPayable && pay.startsWith(path)) item.append(' ', linkTo(pay, list.dataset.payNow));
  }
  // Read the current titles and dates from the pages of the latest orders.
  const refresh = async () => {
    for (const [entry, link] of [...links].slice(0, 10)) {
      if (entry.gone) continue;
      const page = await fetch(entry.path);
      // Further requests for a missing order would count as guesses of its token.
      if (page.status === 404 || page.status === 410) entry.gone = true;
      const parsed = page.ok ? new DOMParser().parseFromString(await page.text(), 'text/html') : undefined;
      const title = parsed?.querySelector('[data-order]')?.dataset.order;
      if (title) entry.title = link.textContent = title;
    }
    if (known().length === orders.length) localStorage.setItem(KEY, JSON.stringify(orders));
  };
  refresh().catch(() => {});
  const forget = list.querySelector('button');
  forget.hidden = orders.length === 0;
  forget.addEventListener('click', () => {
    if (!confirm(forget.dataset.confirm)) return;
    localStorage.removeItem(KEY);
    location.reload();
  });
}

// Load the page of an order again after a delay while the result of its payment is unknown.
const again = document.querySelector('[data-refresh]');
if (again) setTimeout(() => location.replace(again.href), again.dataset.refresh * 1000);

// Share by the dialog of the device, or else by copying the address.
for (const button of document.querySelectorAll('[data-share]')) {
  const other = button.nextElementSibling;
  if (!navigator.share) continue;
  button.hidden = false;
  button.addEventListener('click', () =>
    navigator.share({ title: button.dataset.share, url: other.dataset.copy }).catch(() => {}),
  );
  other.remove();
}
for (const button of document.querySelectorAll('[data-copy]')) {
  // Browsers let pages copy only over https.
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = texts.copied;
  });
}

// Load the program of a map when the visitor opens it.
for (const section of document.querySelectorAll('[data-map]')) {
  section.hidden = false;
  section.querySelector('button').addEventListener('click', async () => {
    const { toggleMap } = await import(section.dataset.map);
    await toggleMap(section);
  });
}

for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => print());
}

// Keep the screen on while a code is shown.
if (document.querySelector('[data-awake]') && navigator.wakeLock) {
  const stayAwake = () => {
    // A device may refuse, as when its battery is low.
    if (document.visibilityState === 'visible') navigator.wakeLock.request('screen').catch(() => {});
  };
  document.addEventListener('visibilitychange', stayAwake);
  stayAwake();
}
