import { withPresentChoices } from '../../base/site-config.ts';
import { addDays, localDay, toUtc } from '../../lib/dates/dates.ts';
import { utcRange } from '../../lib/dates/periods.ts';
import { formatMoney, siteMoney } from '../../lib/money/money.ts';
import { orderNumber } from '../../lib/order-number.ts';
import { configuredGateways } from '../../platform/site/payment-gateways.ts';
import { RECENT_DAYS } from '../../ticketing/books/findings.ts';
import { GatewayUnavailable } from '../../ticketing/payments/gateways/gateway.ts';
import { type Command, CommandError, command } from './command.ts';
import { columns } from './input.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** @throws {CommandError} */
function readDay(name: string, given: string | boolean | undefined, preset: string): string {
  if (given === undefined) return preset;
  const day = String(given);
  const isDay = DAY.test(day) && !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day);
  if (!isDay) throw new CommandError(`--${name} must be a day, such as 2027-03-06.`);
  return day;
}

const reconcileCommand = command({
  name: 'payments reconcile',
  summary: 'Compares payments and refunds with those of the payment services.',
  words: [],
  options: {
    from: {
      value: 'DAY',
      about: `First day, in the time zone of the site; by default ${RECENT_DAYS - 1} days before the last.`,
    },
    to: { value: 'DAY', about: 'Last day, included; by default today.' },
  },
  notes:
    'Prints and stores the differences, and exits with status 1 if there are any that staff have not closed. The server\n' +
    'does the same every day.',
  async work({ context: opened, options, print }) {
    const context = await withPresentChoices(opened);
    const { config, now } = context;
    const to = readDay('to', options.to, localDay(toUtc(now()), config.timezone));
    const from = readDay('from', options.from, addDays(`${to} 00:00:00`, 1 - RECENT_DAYS).slice(0, 10));
    if (from > to) throw new CommandError('--from must not be after --to.');
    const gateways = configuredGateways(config);
    if (gateways.length === 0) throw new CommandError('No payment service is configured.');
    const { reconcile, unreadableText } = await import('../../ticketing/books/reconcile.ts');
    const { start, end } = utcRange(from, to, config.timezone);
    const period = { from: dateOf(start), to: dateOf(end) };
    const money = (amount: number | null, currency: string) =>
      amount === null ? null : formatMoney(amount, siteMoney(config, currency));
    const rows: (string | number | null)[][] = [];
    const unread: string[] = [];
    for (const gateway of gateways) {
      const { findings, unreadable } = await reconcile(context, gateway, period).catch((error: unknown) => {
        throw error instanceof GatewayUnavailable ? new CommandError(error.message) : error;
      });
      unread.push(...unreadable);
      for (const one of findings)
        rows.push([
          ...[one.id, one.kind, one.order_id === null ? null : orderNumber(one.order_id), one.subject],
          ...[money(one.booked, one.booked_currency), money(one.settled, one.settled_currency)],
          ...[one.external_id, one.date_utc],
        ]);
    }
    const problems = unread.length > 0 ? [unreadableText(unread)] : [];
    if (rows.length > 0) {
      const heads = ['ID', 'KIND', 'ORDER', 'RECORD', 'BOOKED', 'SETTLED', 'SERVICE', 'DATE (UTC)'];
      for (const line of columns(heads, rows)) print(line);
      problems.unshift(`Differences: ${rows.length}.`);
    }
    if (problems.length > 0) throw new CommandError(problems.join(' '));
    print('The payments agree.');
  },
});

const dateOf = (utc: string): Date => new Date(`${utc.replace(' ', 'T')}Z`);

export const paymentCommands: readonly Command[] = [reconcileCommand];
