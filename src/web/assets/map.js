// Shows places on a map with Leaflet, which is loaded when the visitor first opens the map.

/** Zoom levels: of a single place, the nearest one for several, and the last one that tile servers usually have. */
const ZOOM = { one: 16, several: 15, max: 19 };

/** Width and height of a pin in pixels, as in map.css. */
const PIN = [28, 36];

/** Maps by their sections. */
const maps = new WeakMap();

/** Shows the map of a section, or hides it. */
export async function toggleMap(section) {
  const frame = section.querySelector('.map-frame');
  if (!frame.hidden) return hide(section);
  const L = await load(section.dataset);
  frame.hidden = false;
  label(section, true);
  if (!maps.has(section)) maps.set(section, makeMap(L, section));
  frame.querySelector('.map').focus();
}

function hide(section) {
  section.querySelector('.map-frame').hidden = true;
  label(section, false).focus();
}

/** Sets the label of the button to its next action. */
function label(section, isShown) {
  const button = section.querySelector('button');
  const { show, hide } = JSON.parse(section.dataset.texts);
  button.textContent = isShown ? hide : show;
  button.setAttribute('aria-expanded', String(isShown));
  return button;
}

/** Leaflet, with its styles. */
async function load({ leaflet, style }) {
  await Promise.all([import(leaflet), document.querySelector(`link[href="${style}"]`) ?? loadStyles(style)]);
  return globalThis.L;
}

const loadStyles = (href) =>
  new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.addEventListener('load', resolve);
    link.addEventListener('error', () => {
      link.remove();
      reject(new Error(`${href} could not be loaded`));
    });
    document.head.append(Object.assign(link, { rel: 'stylesheet', href }));
  });

function makeMap(L, section) {
  const { tiles, places, texts } = section.dataset;
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const moves = { zoomAnimation: !isStill, fadeAnimation: !isStill, markerZoomAnimation: !isStill, inertia: !isStill };
  // The wheel scrolls the page, and the page itself names the source of the map.
  const own = { scrollWheelZoom: false, attributionControl: false, zoomControl: false };
  const map = L.map(section.querySelector('.map'), { ...own, ...moves });
  if (isStill) map.panBy = (offset, options) => L.Map.prototype.panBy.call(map, offset, { ...options, animate: false });
  // Tile servers want to know which site asks, but not which page.
  L.tileLayer(tiles, { maxZoom: ZOOM.max, referrerPolicy: 'origin' }).addTo(map);
  const words = JSON.parse(texts);
  addZoom(L, map, words);
  const shown = JSON.parse(places);
  map.fitBounds(L.latLngBounds(shown.map(({ at }) => at)), {
    ...{ padding: [40, 40], maxZoom: shown.length > 1 ? ZOOM.several : ZOOM.one, animate: false },
  });
  for (const place of shown) addPin(L, map, place, words);
  map.on('click', () => map.closePopup());
  section.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    const pin = section.querySelector('.map-pin[aria-expanded="true"]');
    if (!pin) return hide(section);
    map.closePopup();
    pin.focus();
  });
  return map;
}

/** Buttons in place of Leaflet's links, which have no address. */
function addZoom(L, map, texts) {
  const control = L.control({ position: 'topright' });
  control.onAdd = () => {
    const box = L.DomUtil.create('div', 'map-zoom');
    for (const [sign, title, act] of [
      ['+', texts.in, () => map.zoomIn()],
      ['\u2212', texts.out, () => map.zoomOut()],
    ]) {
      const button = Object.assign(document.createElement('button'), { type: 'button', textContent: sign, title });
      button.setAttribute('aria-label', title);
      button.addEventListener('click', act);
      box.append(button);
    }
    L.DomEvent.disableClickPropagation(box);
    return box;
  };
  control.addTo(map);
}

/** Button of a place, which opens its details. */
function addPin(L, map, { name, at, ...place }, texts) {
  const button = Object.assign(document.createElement('button'), { type: 'button', className: 'map-pin', title: name });
  button.appendChild(
    Object.assign(document.createElement('span'), { className: 'visually-hidden', textContent: name }),
  );
  button.setAttribute('aria-expanded', 'false');
  const icon = L.divIcon({ html: button, className: '', iconSize: PIN, iconAnchor: [PIN[0] / 2, PIN[1]] });
  const about = describe({ name, ...place }, texts);
  // Closed by the pin only: otherwise the click that opens it by keyboard would close it again.
  const own = { closeButton: false, closeOnClick: false, className: 'map-popup', offset: [0, 4 - PIN[1]] };
  const popup = L.popup(own).setLatLng(at).setContent(about);
  popup.on('add', () => {
    button.setAttribute('aria-expanded', 'true');
    about.querySelector('a')?.focus({ preventScroll: true });
  });
  popup.on('remove', () => button.setAttribute('aria-expanded', 'false'));
  // The button has the focus, so the marker needs none.
  const marker = L.marker(at, { icon, keyboard: false }).addTo(map);
  marker.on('click', () => (popup.isOpen() ? map.closePopup() : popup.openOn(map)));
}

function describe({ name, url, about, ways }, texts) {
  const box = document.createElement('div');
  const title = box.appendChild(document.createElement('strong'));
  title.append(url ? Object.assign(document.createElement('a'), { href: url, textContent: name }) : name);
  for (const part of [
    about,
    ways && Object.assign(document.createElement('a'), { href: ways, textContent: texts.ways }),
  ])
    if (part) box.appendChild(document.createElement('div')).append(part);
  return box;
}
