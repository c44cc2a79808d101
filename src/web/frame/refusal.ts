import type { Refused } from '../../http/pipeline/submit.ts';
import type { FormError } from './notice.ts';
import type { Page } from './page-response.ts';

/** Errors of a form that is shown again. */
export interface Refusal {
  errors: readonly FormError[];
  /** Status of the page, 400 by default. */
  status?: number;
  headers?: Page['headers'];
}

/** State of a form before its submission. */
export const NO_REFUSAL: Refusal = { errors: [] };

/** Status and headers of the page with the refused form, taken from the refusal. */
export const refusedHead = ({ errors, status = 400, headers }: Refusal): Pick<Page, 'status' | 'headers'> =>
  errors.length === 0 ? {} : { status, headers };

/** Converts a refusal of the interface. Its own message is the default. */
export const refusalOf = (
  { status, body, retryAfter }: Pick<Refused, 'status' | 'body' | 'retryAfter'>,
  error: Partial<FormError> = {},
): Refusal => ({
  status,
  errors: [{ message: error.message ?? body.message ?? '', field: error.field }],
  ...(retryAfter !== undefined && { headers: { 'Retry-After': retryAfter } }),
});

/** Parameters refused by the interface. */
export function refusedParams({ body }: Pick<Refused, 'body'>): string[] {
  const params = body.data?.params;
  return typeof params === 'object' && params !== null ? Object.keys(params) : [];
}
