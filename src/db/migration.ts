import type { Dialect } from './dialect.ts';

/** A change of the tables. */
export interface Migration {
  /** Never changed once released: `NNNN-title`. */
  name: string;
  up(dialect: Dialect): string[];
}
