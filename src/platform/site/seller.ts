import type { Config } from '../../base/config.ts';
import type { Seller, StoredSite } from '../../db/site-settings.ts';
import { clearable, field, plainBlock, plainLine } from '../../http/input/schemas.ts';
import { objectSchema, propertiesOf, readObject } from './object-fields.ts';
import { nameIn } from './settings.ts';

const PREFIX = /^[A-Z0-9-]{1,10}$/;

const sellerFields = {
  name: clearable(plainLine('Name of the seller; by default the name of the site.', { max: 200 })),
  address: clearable(
    plainBlock('Postal address, in lines of plain text; by default the one of `contact`.', { max: 500 }),
  ),
  vat_number: clearable(plainLine('VAT number, or tax number.', { max: 50 })),
  note: clearable(
    plainBlock('Note at the end of invoices, such as the reason why they have no tax, in lines of plain text.', {
      max: 1000,
    }),
  ),
  prefix: clearable(
    field<string>(
      {
        type: 'string',
        pattern: PREFIX.source,
        description:
          'Beginning of the numbers of invoices, such as `MQ-` for `MQ-2026-0001`. Each prefix counts for itself.',
      },
      'param.seller',
      (value) => (typeof value === 'string' && PREFIX.test(value) ? value : undefined),
    ),
  ),
};

type SellerChange = Partial<Record<keyof Seller, string | null>>;

/** `seller` of `PATCH /site`. */
export const seller = clearable(
  field<SellerChange>(
    {
      ...objectSchema('SellerInput', propertiesOf(sellerFields)),
      description: 'Seller on invoices. Omitted members stay unchanged; null clears one.',
    },
    'param.seller',
    (value) => readObject(sellerFields, value),
  ),
);

/** The seller on invoices: without settings of its own, the site with its address. */
export function sellerOf(stored: StoredSite, config: Config, language: string): Seller {
  const { seller: own, contact } = stored;
  return {
    name: own.name ?? nameIn(stored, config, language),
    address: own.address ?? contact.address ?? '',
    vat_number: own.vat_number ?? '',
    note: own.note ?? '',
    prefix: own.prefix ?? '',
  };
}
