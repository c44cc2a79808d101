/**
 * Filters in addresses: `/console/events?search=jazz&page=2`. Each screen names its own, and what an address has besides
 * or has wrong is left out.
 */
type Reader<T> = (text: string) => T | undefined;

export const text: Reader<string> = (value) => value || undefined;

export const whole: Reader<number> = (value) => (/^[1-9]\d{0,8}$/.test(value) ? Number(value) : undefined);

/** A day such as `2027-03-06`. */
export const day: Reader<string> = (value) => (/^\d{4}-\d{2}-\d{2}$/.test(value) ? value : undefined);

export const oneOf =
  <T extends string>(...values: readonly T[]): Reader<T> =>
  (value) =>
    values.find((one) => one === value);

type Filters<S extends Record<string, Reader<unknown>>> = { [K in keyof S]?: NonNullable<ReturnType<S[K]>> };

/** What reads the filters of a screen for `validateSearch` of its route. */
export const filters =
  <S extends Record<string, Reader<unknown>>>(shape: S) =>
  (sent: Record<string, unknown>): Filters<S> => {
    const pairs = Object.entries(shape).map(([name, read]) => [name, read(String(sent[name] ?? ''))]);
    return Object.fromEntries(pairs.filter(([, value]) => value !== undefined)) as Filters<S>;
  };
