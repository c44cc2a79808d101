import { expect, it } from 'vitest';
import { redactAddresses } from './redact.ts';

it.each([
  ['GET /order/12/T0k-e_n/', 'GET /order/12/[redacted]/'],
  ['/order/12/T0k-e_n', '/order/12/[redacted]'],
  ['/fr/order/12/T0k-e_n/cancel/?a=b', '/fr/order/12/[redacted]/cancel/?a=b'],
  ['/de/reply/12/T0k-e_n/', '/de/reply/12/[redacted]/'],
  ['GET /unsubscribe/T0k-e_n/ HTTP/1.1', 'GET /unsubscribe/[redacted]/ HTTP/1.1'],
  ['/de//Unsubscribe//T0k-e_n?a=b', '/de//Unsubscribe//[redacted]?a=b'],
  ['?url=https%3A%2F%2Fa.test%2Funsubscribe%2FT0k-e_n%2F', '?url=https%3A%2F%2Fa.test%2Funsubscribe%2F[redacted]%2F'],
  ['//ORDER//12//T0k-e_n', '//ORDER//12//[redacted]'],
  ['{"referer":"https://a.test/ticket/7/33fb89cf64/"}', '{"referer":"https://a.test/ticket/7/[redacted]/"}'],
  [
    '?url=https%3A%2F%2Fa.test%2Fticket%2F7%2F33fb89cf64%2Fical%2F',
    '?url=https%3A%2F%2Fa.test%2Fticket%2F7%2F[redacted]%2Fical%2F',
  ],
  ['/?ticket_id=7&security_code=33fb89cf64&path=x', '/?ticket_id=7&security_code=[redacted]&path=x'],
  [
    '/me?current_password=a&code=123456&token=T0k-e_n',
    '/me?current_password=[redacted]&code=[redacted]&token=[redacted]',
  ],
  ['/qr?api_key=key%2Fslash', '/qr?api_key=[redacted]'],
  ['/orders/12 and /order/12/ and /ticket/7', '/orders/12 and /order/12/ and /ticket/7'],
])('%s is logged as %s', (sent, logged) => {
  expect(redactAddresses(sent)).toBe(logged);
});
