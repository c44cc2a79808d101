/**
 * Which state of the data something was made from. Each part is another text after every change of what it stands for,
 * whichever process made it, and no text returns.
 */
export interface DataVersion {
  /** What answers of the calendar show; of tickets, all but what sales and holds change. */
  calendar: string;
  /** Seats that are sold or held, and the holds of carts. */
  seats: string;
}
