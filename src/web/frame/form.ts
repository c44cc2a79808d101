import type { Config } from '../../base/config.ts';
import type { HttpRequest } from '../../http/core/request.ts';
import { readBodyInTime } from '../../http/input/body-timeout.ts';
import { isNoList } from '../../http/input/params.ts';
import { TRAP } from './field.ts';

/** Submitted texts by name, trimmed. Other values are omitted. */
export type Form = Readonly<Record<string, string>>;

/** Maximum bytes of a form: enough for a checkout with a hundred names. */
const MAX_FORM = 100_000;

/**
 * Reads a form.
 * @throws {ApiError} for an invalid body
 */
export async function readForm(request: HttpRequest, { timeouts }: Pick<Config, 'timeouts'>): Promise<Form> {
  const { fields } = await readBodyInTime(request, { maxBytes: MAX_FORM, isList: isNoList, timeouts });
  const texts = Object.entries(fields).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value.trim()] as const] : [],
  );
  return Object.fromEntries(texts);
}

/** Tests if a program filled in the hidden field. */
export const isTrapped = (form: Form): boolean => (form[TRAP] ?? '') !== '';
