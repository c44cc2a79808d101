import type { Refused } from '../../http/pipeline/submit.ts';
import type { Page } from './answer.ts';
import type { FormError } from './notice.ts';

/** Why a form is shown again. */
export interface Refusal {
  errors: readonly FormError[];
  /** Of the page; 400 by default. */
  status?: number;
  headers?: Page['headers'];
}

/** Of a form that is shown for the first time. */
export const NO_REFUSAL: Refusal = { errors: [] };

/** The status and headers of the page that shows a form again: those with which the interface refused it. */
export const answeredAs = ({ errors, status = 400, headers }: Refusal): Pick<Page, 'status' | 'headers'> =>
  errors.length === 0 ? {} : { status, headers };

/** A refusal of the interface; its own message unless a better one is given. */
export const refusalOf = (
  { status, body, retryAfter }: Pick<Refused, 'status' | 'body' | 'retryAfter'>,
  error: Partial<FormError> = {},
): Refusal => ({
  status,
  errors: [{ message: error.message ?? body.message ?? '', field: error.field }],
  ...(retryAfter !== undefined && { headers: { 'Retry-After': retryAfter } }),
});

/** The parameters that the interface refused. */
export function refusedParams({ body }: Pick<Refused, 'body'>): string[] {
  const params = body.data?.params;
  return typeof params === 'object' && params !== null ? Object.keys(params) : [];
}
