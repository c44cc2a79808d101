import type { Config } from '../../base/config.ts';
import type { HttpRequest } from '../../http/core/request.ts';
import { readBodyInTime } from '../../http/input/body-timeout.ts';
import { isNoList } from '../../http/input/params.ts';
import { TRAP } from './field.ts';

/** What a form sent: texts by name, without spaces at their ends. Anything else is left out. */
export type Form = Readonly<Record<string, string>>;

/** Bytes of a form: a checkout of a hundred names. */
const MAX_FORM = 100_000;

/**
 * Reads a form.
 * @throws {ApiError} what reading a body throws
 */
export async function readForm(request: HttpRequest, { timeouts }: Pick<Config, 'timeouts'>): Promise<Form> {
  const { fields } = await readBodyInTime(request, { maxBytes: MAX_FORM, isList: isNoList, timeouts });
  const texts = Object.entries(fields).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value.trim()] as const] : [],
  );
  return Object.fromEntries(texts);
}

/** Whether a program filled in the field that people do not see. */
export const isTrapped = (form: Form): boolean => (form[TRAP] ?? '') !== '';
