import { formatRate } from '../../lib/money/rates.ts';
import type { InvoiceSheet, PaperTable } from '../../lib/paper/sheets.ts';
import type { Visit } from '../frame/visit.ts';
import { factsOf, type Invoice, type InvoiceWording, invoiceWording, remarksOf, titleOf } from '../shop/invoice.ts';

/** Invoice or credit note for paper, in the language of its issue. */
export function invoiceSheet(
  invoice: Invoice,
  site: { config: Pick<Visit['config'], 'currency' | 'currencySymbol'>; siteName: string },
): InvoiceSheet {
  const { seller, customer, taxes, language } = invoice;
  const wording = invoiceWording(invoice, site);
  const { t } = wording;
  const vat = customer.vat_number === '' ? [] : [`${t('invoice.vat_number')} ${customer.vat_number}`];
  return {
    kind: 'invoice',
    language,
    title: titleOf(invoice, wording),
    siteName: site.siteName,
    replaced: t('paper.replaced'),
    seller: linesOf(seller.name, seller.address),
    customer: [...linesOf(customer.company, customer.name, customer.address), ...vat],
    facts: factsOf(invoice, wording).map(([label, value]) => ({ label, lines: [value] })),
    items: itemsOf(invoice, wording),
    ...(taxes.length > 0 && { taxes: { ...taxesOf(invoice, wording), caption: t('invoice.taxes') } }),
    notes: [...remarksOf(invoice, wording), ...linesOf(seller.note)],
  };
}

const linesOf = (...texts: readonly string[]): string[] => texts.flatMap((text) => text.split('\n')).filter(Boolean);

function itemsOf({ lines, taxes, total, kind }: Invoice, { t, money, days, language }: InvoiceWording): PaperTable {
  const hasTaxes = taxes.length > 0;
  return {
    head: [
      ...[t('invoice.item'), t('cart.quantity'), t('invoice.unit_price')],
      ...(hasTaxes ? [t('invoice.tax_rate')] : []),
      t('invoice.amount'),
    ],
    rows: [
      ...lines.map(({ title, event, from, until, quantity, unit_price, tax_rate, total: amount }) => ({
        cells: [
          // The lines after the first name the event.
          `${title.replaceAll('\n', ' ')}${event === '' ? '' : `\n${event}${from === null ? '' : `, ${days(from, until ?? from)}`}`}`,
          ...[String(quantity), money(unit_price)],
          ...(hasTaxes ? [formatRate(tax_rate, language)] : []),
          money(amount),
        ],
      })),
      {
        cells: [
          t(kind === 'credit' ? 'invoice.total_credit' : 'invoice.total'),
          ...['', ''],
          ...(hasTaxes ? [''] : []),
          money(total),
        ],
        isTotal: true,
      },
    ],
  };
}

const taxesOf = ({ taxes }: Invoice, { t, money, language }: InvoiceWording): PaperTable => ({
  head: [t('invoice.tax_rate'), t('invoice.net'), t('cart.tax')],
  rows: taxes.map(({ rate, net, tax }) => ({ cells: [formatRate(rate, language), money(net), money(tax)] })),
});
