import type { Database } from '../../db/database.ts';
import type { Fields, InputOf } from '../../http/core/endpoint.ts';
import { InvalidParams } from '../../http/core/errors.ts';
import { readInput } from '../../http/input/validate.ts';
import { findUserByLogin, type UserRow } from '../../platform/users/store.ts';
import { CommandError } from './command.ts';

/**
 * Validates the values of a command by the schemas of the API; undefined ones are omitted.
 * @throws {InvalidParams} naming each invalid value
 */
export function validated<F extends Fields>(fields: F, values: { [K in keyof F]?: unknown }): Partial<InputOf<F>> {
  const sent = new Map(Object.entries(values).filter(([, value]) => value !== undefined));
  const { input, problems } = readInput(fields, [], sent);
  if (problems.size > 0) throw new InvalidParams(problems);
  return input;
}

/** The account with a name or an e-mail address. */
export async function getAccount(db: Database, login: string): Promise<UserRow> {
  const user = await findUserByLogin(db, login);
  if (!user) throw new CommandError(`There is no account "${login}"; "marquee user list" lists all accounts.`);
  return user;
}

/** Formats rows as aligned columns with a heading, for a terminal. */
export function columns(heading: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string[] {
  const lines = [heading, ...rows].map((row) => row.map((cell) => String(cell ?? '-')));
  const widths = heading.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** More rows than any of these lists will have. */
export const ALL_ROWS = { limit: 1_000_000, offset: 0 };
