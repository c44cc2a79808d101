import type { Generated } from 'kysely';
import type { Flag, RevisedColumns, TitledColumns } from '../columns.ts';

/** Tables of tickets, orders, attendees, carts and check-ins. */

export type Provider = 'rsvp' | 'tc';

/** `own`: its own seats. `global`: the event's shared ones. `capped`: shared ones up to a limit. Empty: no limit. */
export type CapacityMode = 'own' | 'global' | 'capped' | '';

/** Modes of tickets that draw on the shared seats of their event. */
export const SHARED_MODES: readonly CapacityMode[] = ['global', 'capped'];

export interface TicketsTable extends TitledColumns {
  event_id: number;
  provider: Provider;
  /** Minor units of the site's currency. */
  price: number;
  sku: string;
  iac: string;
  show_description: Flag;
  menu_order: number;
  /** RSVP: whether the form offers "not going". */
  not_going: Flag;
  /** Sale window as sent, in site time: `YYYY-MM-DD` and `HH:MM:SS`; either or both may be empty. */
  start_date: string;
  start_time: string;
  end_date: string;
  end_time: string;
  /** Sale window in UTC; empty for an open end. */
  sale_start_utc: string;
  sale_end_utc: string;
  /** The discounted price in minor units; null without a discount. */
  sale_price: number | null;
  /** First and last day in site time; empty for an open end. */
  sale_price_start: string;
  sale_price_end: string;
  mode: CapacityMode;
  /** Seats of `own` and `capped`; null without a limit of its own. */
  capacity: number | null;
  /** Maximum seats per order for customers, staff excepted; 0 for any number. */
  max_per_order: number;
  /** Seats taken by attendees, as seats.ts counts them. Written by seat-counters.ts only. */
  sold: number;
  /** Seats held by carts. */
  held: number;
  is_deleted: Flag;
  /** First ticket of its series pass, if any. Tickets of the same pass, one for each occurrence, are sold together. */
  pass_id: Generated<number | null>;
  /** Tax that its price includes or that is added to it; null for none. */
  tax_rate_id: Generated<number | null>;
  /** Minimum seats per order for customers, staff excepted; 0 for none. */
  min_per_order: Generated<number>;
  /** Whether it is hidden from all but staff until a promotion code opens it. */
  requires_code: Generated<Flag>;
  /** Minimum price that customers may choose; null for a fixed price. */
  min_price: Generated<number | null>;
}

/** Shared seats of an event, if any of its tickets share seats. */
export interface EventStockTable {
  event_id: number;
  /** null: no limit. */
  capacity: number | null;
  sold: number;
  held: number;
}

export interface OrdersTable extends RevisedColumns {
  id: number;
  status: string;
  /** Payment method: `manual`, `free`, or the id of a method of the site or of a payment provider. */
  gateway: string;
  purchaser_name: string;
  purchaser_email: string;
  /** Folded name and e-mail address of the customer. */
  search_text: string;
  user_id: number;
  currency: string;
  /** Minor units. */
  total: number;
  date: string;
  date_utc: string;
  modified_utc: string;
  /** Expiry of an unpaid order: null for never, empty for MARQUEE_ORDER_HOLD minutes after the last change. */
  expires_utc: Generated<string | null>;
  /** Network and customer's mailbox for the limits on unpaid orders without an account; otherwise empty. */
  network: Generated<string>;
  email_key: Generated<string>;
  /** Part of the order token, so that changing the number revokes the earlier token. */
  access_version: Generated<number>;
  /** Visible to staff only. */
  note: Generated<string>;
  /** 1 if it is to be paid at the door, so that its tickets have codes before payment. */
  at_door: Generated<Flag>;
  /**
   * How `expires_utc` depends on the events: -1 for the end of the last one, otherwise the hours before the start of the
   * first one; null for an expiry of its own.
   */
  hold_until: Generated<number | null>;
  /** Reduction of the list prices by its promotion, in minor units. */
  discount: Generated<number>;
  /** Promotion of its code; null for none. */
  promotion_id: Generated<number | null>;
  /** JSON: company, VAT number and address for its invoice. */
  billing: Generated<string>;
  /** Language of the customer; empty if unknown. */
  language: Generated<string>;
  /** Whether its customer gets mails; 0 for samples and for attendees created by programs. */
  is_mailed: Generated<Flag>;
}

/** Seats of an order, by ticket and price. */
export interface OrderItemsTable {
  order_id: number;
  ticket_id: number;
  event_id: number;
  /** Including seats cancelled later. */
  quantity: number;
  /** Minor units per seat. */
  price: number;
  /** Number of these seats that were cancelled individually rather than with the whole order. */
  cancelled: Generated<number>;
  /** Ticket with which its series pass was bought, if any. */
  pass_id: Generated<number | null>;
  /** Rate of the tax that `price` includes, in thousandths of a percent. */
  tax_rate: Generated<number>;
  /** Tax of the seats that are not cancelled, included in their prices, in minor units. */
  tax: Generated<number>;
}

/** Amounts of an order besides the prices of its places; with these they add up to its total. */
export interface OrderChargesTable {
  id: Generated<number>;
  order_id: number;
  /** `credit`: refund without a cancelled place. `kept`: price of cancelled places that is not refunded. */
  kind: 'fee' | 'discount' | 'donation' | 'credit' | 'kept';
  title: string;
  quantity: Generated<number>;
  /** Minor units, for the whole quantity; negative for discounts and credits. */
  amount: number;
  /** Rate of the tax that `amount` includes, in thousandths of a percent. */
  tax_rate: Generated<number>;
  tax: Generated<number>;
  /** Id of the fee or promotion; null for none. */
  source_id: number | null;
  date_utc: string;
}

export const PAYMENT_STATUSES = [
  'created',
  'open',
  'processing',
  'action',
  'paid',
  'failed',
  'cancelled',
  'disputed',
  'lost',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** Attempts to pay orders at a gateway, and payments received offline, such as in cash. */
export interface PaymentsTable {
  id: Generated<number>;
  order_id: number;
  /** A gateway; `manual` and `transfer` for payments received offline. */
  gateway: string;
  /** Id of the payment method of the site. */
  method: string;
  status: PaymentStatus;
  /** Minor units. */
  amount: number;
  /** Minor units of all its refunds that have not failed. */
  refunded: Generated<number>;
  /** Fee that the gateway keeps, in minor units; null if unknown. */
  fee: number | null;
  currency: string;
  /** Id at the gateway; null until it is known there. */
  external_id: string | null;
  /** Page of the gateway on which customers pay. */
  page_url: Generated<string>;
  /** Page to which the gateway returns the customer; empty for the page of the order. */
  return_url: Generated<string>;
  /** Card or account used for the payment, in a readable form. */
  instrument: Generated<string>;
  /** Reference of a payment received offline, such as the line of a bank statement. */
  reference: Generated<string>;
  /** JSON: request that is starting the payment, repeated unchanged after an interruption; otherwise empty. */
  request: Generated<string>;
  /** When the gateway was last asked for its state; empty for never. */
  checked_utc: Generated<string>;
  /** Time of the payment; empty until then. */
  paid_utc: Generated<string>;
  created_utc: string;
  modified_utc: string;
}

export interface PaymentLogTable {
  id: Generated<number>;
  payment_id: number;
  from_status: string;
  to_status: string;
  /** Cause of the change, such as `staff` or `webhook`. */
  source: string;
  /** JSON, without personal data and secrets. */
  details: Generated<string>;
  /** 0 without an account. */
  user_id: Generated<number>;
  date_utc: string;
}

export const REFUND_STATUSES = ['requested', 'pending', 'done', 'failed'] as const;
type RefundStatus = (typeof REFUND_STATUSES)[number];

export interface RefundsTable {
  id: Generated<number>;
  payment_id: number;
  order_id: number;
  status: RefundStatus;
  /** Minor units. */
  amount: number;
  /** Reason given by staff. */
  reason: Generated<string>;
  /** `staff`, or the reason for an automatic refund. */
  source: string;
  /** JSON: ids of the attendees whose places it is for. */
  attendees: Generated<string>;
  /** Id at the gateway; null until it is known there. */
  external_id: string | null;
  /** Idempotency key at the gateway, the same for every repetition; empty until it is first sent. */
  gateway_key: Generated<string>;
  /** When the gateway was last asked for its state; empty for never. */
  checked_utc: Generated<string>;
  /** Reason for the failure, in a readable form. */
  error: Generated<string>;
  /** Whether it failed at the gateway and staff returned the money by other means. */
  offline: Generated<Flag>;
  /** 0 for the server itself. */
  user_id: Generated<number>;
  created_utc: string;
  modified_utc: string;
}

export interface OrderLogTable {
  id: Generated<number>;
  order_id: number;
  from_status: string;
  to_status: string;
  /** Action taken; `status` for a plain change of status. For other actions both statuses may be the same. */
  action: Generated<string>;
  /** JSON: details of the action, without personal data. */
  details: Generated<string>;
  /** 0 without an account. */
  user_id: number;
  date_utc: string;
}

/** Transfers of tickets, oldest first. */
export interface TicketTransfersTable {
  id: Generated<number>;
  attendee_id: number;
  /** Security code before the transfer. */
  former_code: string;
  /** Name of the recipient at that time. */
  full_name: string;
  date_utc: string;
}

export interface AttendeesTable extends RevisedColumns {
  id: number;
  event_id: number;
  ticket_id: number;
  /** null for RSVP. */
  order_id: number | null;
  /** First attendee of the same RSVP, which may be this one; null for paid seats and for RSVPs entered by staff. */
  reply_id: Generated<number | null>;
  provider: Provider;
  author_id: number;
  user_id: number;
  /** `publish`, or `trash` once archived. */
  status: string;
  /** RSVP: `yes` or `no`. Paid: the status of the order, copied for lists. */
  attendance_status: string;
  date: string;
  date_utc: string;
  modified: string;
  modified_utc: string;
  full_name: string;
  name_key: string;
  email: string;
  email_key: string;
  slug: string;
  optout: Flag;
  /** Minor units paid for the seat. */
  price: number;
  /** Copy of the title, so that attendees of a deleted ticket keep it. */
  ticket_title: string;
  /** JSON: answers to the registration questions. */
  information: string;
  security_code: string;
  checked_in: Flag;
  checkin_utc: string;
  /** `site` or `app`. */
  checkin_source: string;
  checkin_author: number;
  checkin_device: string;
  /** First attendee of its series pass, if any. Attendees of the same pass have one security code. */
  pass_id: Generated<number | null>;
  /** Note for the door. */
  door_note: Generated<string>;
  /** Language of the holder of an RSVP or of a transferred ticket; if empty, the order’s applies. */
  language: Generated<string>;
}

export interface CheckInsTable {
  id: Generated<number>;
  attendee_id: number;
  /** `in` or `out`. */
  action: string;
  date_utc: string;
  source: string;
  user_id: number;
  key_id: number | null;
  device: string;
  /** Row of `door_scans` that caused it; null for others. */
  scan_id: Generated<number | null>;
}

export interface CartsTable {
  id: Generated<number>;
  /** SHA-256 of the visitor's token. */
  token_hash: string;
  /** JSON: registration answers for the attendees of each ticket. */
  meta: string;
  expires_utc: string;
  /** Network for the limits on carts; empty for carts of accounts. */
  network: Generated<string>;
  /** Whether the visitor has emptied the cart. */
  is_emptied: Generated<Flag>;
  /** Promotion of the code that the visitor entered; null for none. */
  promotion_id: Generated<number | null>;
  /** Donation in minor units, in addition to the prices of places. */
  donation: Generated<number>;
}

export interface CartItemsTable {
  cart_id: number;
  ticket_id: number;
  event_id: number;
  quantity: number;
  optout: Flag;
  position: number;
  /** When the hold of its seats expires. */
  expires_utc: string;
  /** Copied from the cart, so that sums read a single index. In a series pass, only the selected ticket has it. */
  network: Generated<string>;
  /** Ticket with which the visitor selected its series pass, if any. */
  pass_id: Generated<number | null>;
  /** Price per place that the visitor chose; null for the suggested one. */
  chosen_price: Generated<number | null>;
}

export interface CheckInKeysTable {
  id: Generated<number>;
  name: string;
  /** SHA-256. */
  hash: string;
  /** Limits the key to one event. */
  event_id: number | null;
  created_utc: string;
  last_used_utc: string | null;
}

/** Free seats taken, for the daily limits; seats given back still count. */
export interface FreePlacesTable {
  id: Generated<number>;
  /** Empty behind an undeclared proxy. */
  network: string;
  /** Hash of the customer's mailbox. */
  mailbox: string;
  places: number;
  /** Attendee of an RSVP, who may give the seat back and take it again; null for an order. */
  attendee_id: number | null;
  /** Time from which these seats no longer count. */
  expires_utc: string;
}
