// Arranges the places of a page by their distance. The position of the visitor stays in the browser.

const EARTH_KM = 6371;
/** @param {number} degrees */
const radians = (degrees) => (degrees * Math.PI) / 180;

/**
 * Kilometres between two points on a sphere.
 * @param {{ lat: number, lng: number }} one
 * @param {{ lat: number, lng: number }} other
 */
function distance(one, other) {
  const half = (a, b) => Math.sin(radians(b - a) / 2) ** 2;
  const across = Math.cos(radians(one.lat)) * Math.cos(radians(other.lat)) * half(one.lng, other.lng);
  return 2 * EARTH_KM * Math.asin(Math.sqrt(half(one.lat, other.lat) + across));
}

const kilometres = new Intl.NumberFormat(document.documentElement.lang, {
  ...{ style: 'unit', unit: 'kilometer', maximumSignificantDigits: 2 },
});

/** Puts the nearest place first, and the city with the nearest place. */
function arrange(position) {
  const far = new Map();
  for (const place of document.querySelectorAll('.place')) {
    const { lat, lng } = place.dataset;
    const km = lat === undefined ? Infinity : distance(position, { lat: Number(lat), lng: Number(lng) });
    far.set(place.parentElement, km);
    if (km === Infinity) continue;
    const shown = place.querySelector('.place-far') ?? place.appendChild(document.createElement('p'));
    shown.className = 'place-far';
    shown.textContent = kilometres.format(km);
  }
  const cities = [...document.querySelectorAll('.city')];
  for (const city of cities) {
    const places = [...city.querySelectorAll('li')].sort((a, b) => far.get(a) - far.get(b));
    city.querySelector('ul').append(...places);
    far.set(city, far.get(places[0]));
  }
  const last = document.createComment('');
  cities[0]?.before(last);
  last.replaceWith(...cities.sort((a, b) => far.get(a) - far.get(b)));
}

const button = document.querySelector('[data-near]');
const said = document.querySelector('[data-near-said]');
// Browsers tell a position to pages from safe addresses only.
if (button && said && isSecureContext && document.querySelector('.place[data-lat]')) {
  button.hidden = false;
  said.hidden = false;
  button.addEventListener('click', () => {
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        arrange({ lat: coords.latitude, lng: coords.longitude });
        said.textContent = button.dataset.done;
      },
      () => {
        said.textContent = button.dataset.failed;
      },
      { maximumAge: 300_000, timeout: 15_000 },
    );
  });
}
