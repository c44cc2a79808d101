export interface Coordinates {
  lat: number;
  lng: number;
}

const NUMBER = '(-?\\d{1,3}(?:\\.\\d{1,15})?)';

/** Where addresses of maps have the coordinates of a place, the most precise first. */
const FORMS: readonly RegExp[] = [
  // Google Maps: the place itself, then the middle of the map.
  new RegExp(`!3d${NUMBER}!4d${NUMBER}`),
  new RegExp(`[?&](?:q|query|ll|destination|daddr|center)=(?:loc:)?${NUMBER}(?:,|%2C)\\+?${NUMBER}`, 'i'),
  new RegExp(`@${NUMBER},${NUMBER}`),
  // OpenStreetMap: the marker, then the middle of the map.
  new RegExp(`[?&]mlat=${NUMBER}&mlon=${NUMBER}`),
  new RegExp(`#map=\\d{1,2}/${NUMBER}/${NUMBER}`),
  new RegExp(`^geo:${NUMBER},${NUMBER}`, 'i'),
  new RegExp(`^${NUMBER}\\s*[,; ]\\s*${NUMBER}$`),
];

/** Longer addresses are cut off by the programs that make them. */
const LONGEST = 2000;

/**
 * Reads coordinates as people have them: two numbers, or a link of OpenStreetMap, Google Maps or Apple Maps, or `geo:`.
 * @returns undefined if there are none, or not on the Earth
 */
export function coordinatesIn(pasted: string): Coordinates | undefined {
  const text = pasted.trim().slice(0, LONGEST);
  for (const form of FORMS) {
    const [, lat, lng] = form.exec(text) ?? [];
    const place = { lat: Number(lat), lng: Number(lng) };
    if (lat !== undefined && Math.abs(place.lat) <= 90 && Math.abs(place.lng) <= 180) return place;
  }
  return undefined;
}
