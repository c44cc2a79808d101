// Comforts of the public pages. Everything works without them.

/** @param {string} name */
const cookie = (name) =>
  document.cookie
    .split('; ')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);

/** Texts that scripts insert, in the language of the page. */
const texts = document.body.dataset;

// How many places are in the cart.
const count = Number(cookie('marquee-cart-count') ?? 0);
const cart = document.querySelector('[data-cart]');
if (cart && count > 0) cart.append(` (${count})`);

// How long places are still held, whatever the clock of the device says; said aloud when five and two minutes are left.
for (const notice of document.querySelectorAll('[data-seconds]')) {
  const until = Date.now() + Number(notice.dataset.seconds) * 1000;
  const clock = notice.appendChild(document.createElement('span'));
  const spoken = notice.appendChild(document.createElement('span'));
  spoken.className = 'visually-hidden';
  spoken.setAttribute('role', 'status');
  let before = Number.POSITIVE_INFINITY;
  const tick = () => {
    const left = Math.max(0, Math.round((until - Date.now()) / 1000));
    clock.textContent = ` (${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')})`;
    const mark = [2, 5].find((minutes) => left <= minutes * 60 && before > minutes * 60);
    if (mark) spoken.textContent = notice.dataset[`at-${mark}`];
    before = left;
    if (left > 0) return;
    // What was typed stays: the buttons try to get the places back.
    clearInterval(timer);
    notice.textContent = notice.dataset.over;
    notice.setAttribute('role', 'alert');
  };
  const timer = setInterval(tick, 1000);
  tick();
}

// The time of an event on the clock of the visitor, where it is another one.
for (const time of document.querySelectorAll('time[data-zone]')) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const at = new Date(time.dateTime);
  const shown = (zone) =>
    at.toLocaleString(document.documentElement.lang, { timeZone: zone, dateStyle: 'medium', timeStyle: 'short' });
  if (timeZone !== time.dataset.zone && shown(timeZone) !== shown(time.dataset.zone))
    time.parentElement.append(` (${texts.yourTime} ${shown(timeZone)})`);
}

// Orders that were made on this device, so that nobody needs an account to find them again.
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
  const { order: title } = order.dataset;
  const others = known().filter(({ path }) => path !== location.pathname);
  localStorage.setItem(KEY, JSON.stringify([{ path: location.pathname, title }, ...others].slice(0, 50)));
}
const list = document.querySelector('[data-orders]');
if (list) {
  const orders = known();
  list.querySelector('[data-none]').hidden = orders.length > 0;
  const items = list.querySelector('ul');
  for (const { path, title } of orders) {
    if (!/^\/(?!\/)/.test(path)) continue;
    const link = Object.assign(document.createElement('a'), { href: path, textContent: title });
    items.appendChild(document.createElement('li')).append(link);
  }
  const forget = list.querySelector('button');
  forget.hidden = orders.length === 0;
  forget.addEventListener('click', () => {
    localStorage.removeItem(KEY);
    location.reload();
  });
}

// A button that copies the address of the page.
for (const button of document.querySelectorAll('[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = texts.copied;
  });
}

for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => print());
}

// The screen stays on while a code is shown.
if (document.querySelector('[data-awake]') && navigator.wakeLock) {
  const stayAwake = () => {
    // A device may refuse, as when its battery is low.
    if (document.visibilityState === 'visible') navigator.wakeLock.request('screen').catch(() => {});
  };
  document.addEventListener('visibilitychange', stayAwake);
  stayAwake();
}
