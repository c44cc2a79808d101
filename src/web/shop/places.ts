/** Places of one ticket. */
export interface Places {
  ticket_id: number;
  quantity: number;
}

const PLACES = /^(\d{1,15}):(\d{1,3})$/;
/** Different tickets in a cart, as the interface limits them. */
const MAX_TICKETS = 50;

/** Places as fields of forms and cookies have them: `12:2,13:1`. */
export const placesText = (places: readonly Places[]): string =>
  places.map(({ ticket_id, quantity }) => `${ticket_id}:${quantity}`).join();

/** Reads what `placesText` writes; leaves out anything else. */
export const readPlaces = (text = ''): Places[] =>
  text.split(',', MAX_TICKETS).flatMap((part) => {
    const [, id, quantity] = PLACES.exec(part) ?? [];
    return Number(quantity) > 0 ? [{ ticket_id: Number(id), quantity: Number(quantity) }] : [];
  });
