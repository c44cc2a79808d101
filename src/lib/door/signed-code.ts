/**
 * Ticket in a QR code. Its fields are the parameters `ticket_id`, `event_id`, `kind` and `security_code`, in this
 * order.
 */
export interface SignedTicket {
  /** Id of the attendee. */
  id: number;
  event_id: number;
  ticket_id: number;
  security_code: string;
}

/** The text that the parameter `sig` of a code signs (Ed25519); devices build it from the other parameters. */
export const signedText = ({ id, event_id, ticket_id, security_code }: SignedTicket): string =>
  `marquee-ticket:${id}:${event_id}:${ticket_id}:${security_code}`;
