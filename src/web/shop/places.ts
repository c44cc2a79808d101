/** Places of one ticket. */
export interface Places {
  ticket_id: number;
  quantity: number;
}

const PLACES = /^(\d{1,15}):(\d{1,3})$/;
/** Maximum number of different tickets in a cart, as in the interface. */
const MAX_TICKETS = 50;

/** Format of places in forms and cookies: `12:2,13:1`. */
export const placesText = (places: readonly Places[]): string =>
  places.map(({ ticket_id, quantity }) => `${ticket_id}:${quantity}`).join();

/** Reads the format of `placesText`; ignores anything else. */
export const readPlaces = (text = ''): Places[] =>
  text.split(',', MAX_TICKETS).flatMap((part) => {
    const [, id, quantity] = PLACES.exec(part) ?? [];
    return Number(quantity) > 0 ? [{ ticket_id: Number(id), quantity: Number(quantity) }] : [];
  });
