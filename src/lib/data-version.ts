/**
 * Versions of the data from which a value was computed. A part changes with every change of its data, in any process,
 * and never takes an earlier value again.
 */
export interface DataVersion {
  /** Data shown by calendar responses; of tickets, everything except sales and holds. */
  calendar: string;
  /** Sold and held seats, and the holds of carts. */
  seats: string;
}
