import { dateFormats } from '../../lib/dates/date-format.ts';
import { type Translator, translatorFor } from '../../lib/i18n.ts';
import { formatMoney, siteFormat } from '../../lib/money/money.ts';
import { formatRate } from '../../lib/money/rates.ts';
import { type Html, html } from '../frame/html.ts';
import { type PageResponse, seeOther } from '../frame/page-response.ts';
import { personal } from '../frame/personal-page.ts';
import type { Responses } from '../frame/responses.ts';
import { orNotFound } from '../frame/subject.ts';
import { languagePrefix, type Visit } from '../frame/visit.ts';
import { type OrderAddress, pathOf } from './order-address.ts';

export type Invoice = Responses['buyers_orders.invoice'];
type Line = Invoice['lines'][number];

/** Language, currency and dates of an invoice. */
export interface InvoiceWording {
  t: Translator;
  language: string;
  /** Formats an amount in minor units; 0 is shown as a number, not as free. */
  money(amount: { minor: number }): string;
  /** One day, or a period, with the year. */
  days(from: string, until?: string): string;
}

/** Invoice or credit note of an order, to be printed, in the language of the order. */
export async function invoicePage(visit: Visit, address: OrderAddress, number: string): Promise<PageResponse> {
  const invoice = await orNotFound(
    visit.ask('buyers_orders.invoice', { id: address.id, number }, { 'x-order-token': address.token }),
  );
  const { languages } = visit.config;
  if (invoice.language !== visit.language && languages.includes(invoice.language))
    return seeOther(`${languagePrefix(invoice.language, visit.config)}${visit.path}`);
  const writing = invoiceWording(invoice, visit);
  const title = titleOf(invoice, writing);
  const main = html`<p class="acts"><button class="quiet" data-print hidden>${visit.t('order.print')}</button> <a href="${visit.link(`${pathOf(address)}invoice/${encodeURIComponent(number)}/invoice.pdf`)}">${visit.t('paper.document')}</a> <a href="${visit.link(pathOf(address))}">${visit.t('invoice.back')}</a></p>
<article class="invoice-sheet" lang="${invoice.language}">
${sellerOf(invoice)}
${customerOf(invoice, writing)}
<h1>${title}</h1>
<dl class="invoice-facts">${factsOf(invoice, writing).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${linesOf(invoice, writing)}
${taxesOf(invoice, writing)}
${notesOf(invoice, writing)}
</article>`;
  return personal(visit, { title, main, kind: 'invoice' });
}

export function invoiceWording(
  { language, currency }: Pick<Invoice, 'language' | 'currency'>,
  { config }: { config: Pick<Visit['config'], 'currency' | 'currencySymbol'> },
): InvoiceWording {
  const format = siteFormat(config, language, currency);
  const dates = dateFormats(language, '');
  return {
    language,
    t: translatorFor(language),
    money: ({ minor }) => `${minor < 0 ? '\u2212' : ''}${formatMoney(Math.abs(minor), format)}`,
    days: (from, until = from) => (from === until ? dates.date(from) : dates.days(from, until)),
  };
}

export const titleOf = ({ kind, number }: Pick<Invoice, 'kind' | 'number'>, { t }: Pick<InvoiceWording, 't'>): string =>
  t(kind === 'credit' ? 'invoice.credit' : 'invoice.invoice', { number });

/** Title of a document of an order, for its link. */
export const invoiceTitle = (document: Pick<Invoice, 'kind' | 'number'>, visit: Visit): string =>
  titleOf(document, visit);

/** Lines of plain text as an address. */
const block = (texts: readonly string[]): Html[] =>
  texts
    .flatMap((text) => text.split('\n'))
    .filter((line) => line !== '')
    .map((line, at) => html`${at > 0 && html`<br>`}${line}`);

const sellerOf = ({ seller: { name, address } }: Invoice): Html =>
  html`<p class="invoice-seller" dir="auto"><strong>${name}</strong><br>${block([address])}</p>`;

function customerOf({ customer }: Invoice, { t }: InvoiceWording): Html {
  const { company, name, address, vat_number } = customer;
  return html`<p class="invoice-customer" dir="auto">${block([company, name, address])}${vat_number !== '' && html`<br>${t('invoice.vat_number')} ${vat_number}`}</p>`;
}

/** Dates and numbers that an invoice must have, with their names. */
export function factsOf(invoice: Invoice, { t, days }: InvoiceWording): [name: string, value: string][] {
  const { date, order, corrects, seller, lines } = invoice;
  const first = lines.flatMap(({ from }) => from ?? []).sort()[0];
  const last = lines
    .flatMap(({ until }) => until ?? [])
    .sort()
    .at(-1);
  return [
    [t('invoice.date'), days(date)],
    [t('invoice.order'), order.number],
    ...(corrects === null ? [] : [[t('invoice.corrects'), corrects] as [string, string]]),
    ...(first === undefined ? [] : [[t('invoice.supplied'), days(first, last)] as [string, string]]),
    ...(seller.vat_number === '' ? [] : [[t('invoice.vat_number'), seller.vat_number] as [string, string]]),
  ];
}

function linesOf(invoice: Invoice, writing: InvoiceWording): Html {
  const { t, money } = writing;
  const { lines, taxes, total } = invoice;
  const hasTaxes = taxes.length > 0;
  return html`<div class="invoice-lines" tabindex="0" role="region" aria-label="${titleOf(invoice, writing)}"><table><thead><tr><th scope="col">${t('invoice.item')}</th><th scope="col" class="amount">${t('cart.quantity')}</th><th scope="col" class="amount">${t('invoice.unit_price')}</th>${hasTaxes && html`<th scope="col" class="amount">${t('invoice.tax_rate')}</th>`}<th scope="col" class="amount">${t('invoice.amount')}</th></tr></thead>
<tbody>${lines.map((line) => lineRow(line, hasTaxes, writing))}</tbody>
<tfoot><tr><th scope="row" colspan="${hasTaxes ? 4 : 3}">${t(invoice.kind === 'credit' ? 'invoice.total_credit' : 'invoice.total')}</th><td class="amount"><strong>${money(total)}</strong></td></tr></tfoot></table></div>`;
}

const lineRow = (line: Line, hasTaxes: boolean, { money, days, language }: InvoiceWording): Html => {
  const { title, event, from, until, quantity, unit_price, tax_rate, total } = line;
  return html`<tr><td dir="auto">${title}${event !== '' && html`<br><span class="hint">${event}${from !== null && html`, ${days(from, until ?? from)}`}</span>`}</td><td class="amount">${quantity}</td><td class="amount">${money(unit_price)}</td>${hasTaxes && html`<td class="amount">${formatRate(tax_rate, language)}</td>`}<td class="amount">${money(total)}</td></tr>`;
};

/** The amounts without tax and the taxes, by rate. */
function taxesOf({ taxes }: Invoice, { t, money, language }: InvoiceWording): Html | undefined {
  if (taxes.length === 0) return undefined;
  return html`<table class="invoice-taxes"><caption>${t('invoice.taxes')}</caption><thead><tr><th scope="col">${t('invoice.tax_rate')}</th><th scope="col" class="amount">${t('invoice.net')}</th><th scope="col" class="amount">${t('cart.tax')}</th></tr></thead>
<tbody>${taxes.map(({ rate, net, tax }) => html`<tr><th scope="row">${formatRate(rate, language)}</th><td class="amount">${money(net)}</td><td class="amount">${money(tax)}</td></tr>`)}</tbody></table>`;
}

/** Remarks below the amounts, without the note of the seller. */
export const remarksOf = (
  { discount, is_due, kind, order }: Invoice,
  { t, money }: Pick<InvoiceWording, 't' | 'money'>,
): string[] => [
  ...(discount.minor > 0 ? [t('invoice.discount', { amount: money(discount) })] : []),
  ...(is_due && kind === 'invoice' ? [t('invoice.due', { number: order.number })] : []),
];

const notesOf = (invoice: Invoice, writing: InvoiceWording): Html =>
  html`${remarksOf(invoice, writing).map((note) => html`<p>${note}</p>`)}
${invoice.seller.note !== '' && html`<p dir="auto">${block([invoice.seller.note])}</p>`}`;
