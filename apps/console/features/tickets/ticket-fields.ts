import type { TicketStock } from '../../../../packages/client/src/marquee-client.ts';

/** Editable fields of a ticket, as texts of the form. */
export interface TicketFields {
  [name: string]: string;
  name: string;
  description: string;
  price: string;
  mode: string;
  /** Places; empty for no limit. */
  capacity: string;
  /** Maximum number of places per order; 0 for any number, empty for the default. */
  max_per_order: string;
  /** Minimum number of places per order; empty for none. */
  min_per_order: string;
  /** Minimum price that customers may choose; empty for a fixed price. */
  min_price: string;
  /** `yes` for a ticket that a promotion code opens. */
  requires_code: string;
  /** Id of its tax; empty for none. */
  tax_rate_id: string;
  /** Wall clocks of the first and the last moment of the sale; empty for none. */
  from: string;
  until: string;
  /** A lower price; empty for none. */
  reduced: string;
  /** The first and the last day of the lower price; empty for always. */
  reduced_from: string;
  reduced_until: string;
}

const REDUCED = ['reduced', 'reduced_from', 'reduced_until'] as const;

/** The sale price as a whole, with its unchanged parts. */
function salePriceOf({ reduced, reduced_from, reduced_until }: TicketFields) {
  return { checked: reduced !== '', price: reduced, start_date: reduced_from, end_date: reduced_until };
}

/**
 * Parameters of the interface for changed fields.
 * @param patch changed fields
 * @param present current values of all fields
 */
export function changeOf(patch: Partial<TicketFields>, present: TicketFields) {
  const { mode, capacity, max_per_order: most, min_per_order: least, tax_rate_id: tax, from, until, ...others } = patch;
  const { reduced, reduced_from, reduced_until, requires_code: hidden, ...texts } = others;
  const isReduced = REDUCED.some((name) => patch[name] !== undefined);
  // One of the choices of the form.
  const stock = {
    mode: mode as TicketStock['mode'],
    capacity,
    sale_price: isReduced
      ? salePriceOf({ ...present, ...definedOf({ reduced, reduced_from, reduced_until }) })
      : undefined,
  };
  const ticket = definedOf(stock);
  return {
    ...texts,
    ...(most !== undefined && { max_per_order: most === '' ? null : Number(most) }),
    ...(least !== undefined && { min_per_order: least === '' ? null : Number(least) }),
    ...(tax !== undefined && { tax_rate_id: tax === '' ? null : Number(tax) }),
    ...(hidden !== undefined && { requires_code: hidden === 'yes' }),
    ...(Object.keys(ticket).length > 0 && { ticket }),
    ...(from !== undefined && { start_date: from.slice(0, 10), start_time: from.slice(11) }),
    ...(until !== undefined && { end_date: until.slice(0, 10), end_time: until.slice(11) }),
  };
}

type Defined<T> = { [K in keyof T]?: NonNullable<T[K]> };

const definedOf = <T extends object>(values: T): Defined<T> =>
  // The remaining fields have values.
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;
