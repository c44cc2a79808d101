import type { CancellationRule, PaymentWay } from '../../../../packages/client/src/marquee-client.ts';
import { currenciesWith } from '../../i18n/formats.ts';
import { SelectField, Switch, TextField } from '../../ui/fields.tsx';
import { RichText } from '../../ui/rich-text/rich-text.tsx';
import { CancellationField, ruleText } from './cancellation-field.tsx';
import { LockedField } from './fields.tsx';
import { PaymentWays } from './payment-ways.tsx';
import { t } from './routes.ts';
import { ServerSettings } from './server-settings.tsx';
import { type EditedSite, partOf, SettingsPage, SiteForm } from './settings-page.tsx';
import { saleKind } from './site-kinds.ts';

type Fields = ReturnType<typeof saleKind.fieldsOf>;

const labelOf = (name: string): string => t(`field.${name as keyof Fields}`);

function show(name: string, value: unknown): string {
  if (name === 'cancellation') return ruleText(value as CancellationRule);
  if (name === 'accepts_donations') return t(value === true ? 'donations.yes' : 'donations.no');
  if (name === 'payment_ways') return (value as PaymentWay[]).map((way) => way.name).join(', ');
  return String(value);
}

/** Payment, cancellation and terms of sale. */
export function Screen() {
  return (
    <SettingsPage name="sale">
      <SiteForm kind={saleKind} labelOf={labelOf} show={show}>
        {(edited) => (
          <div className="settings-form">
            <section className="form-section" aria-label={labelOf('payment_ways')}>
              <PaymentWays gateways={edited.record.gateways ?? []} {...edited.field('payment_ways')} />
            </section>
            <section className="form-section" aria-labelledby="cancellation">
              <h2 id="cancellation">{labelOf('cancellation')}</h2>
              <CancellationField {...edited.field('cancellation')} />
            </section>
            <section className="form-section" aria-labelledby="terms">
              <h2 id="terms">{labelOf('terms')}</h2>
              <RichText label={t('terms.text')} hint={t('hint.terms')} {...edited.field('terms')} />
            </section>
            <section className="form-section" aria-labelledby="refunds">
              <h2 id="refunds">{labelOf('refunds')}</h2>
              <RichText label={t('refunds.text')} hint={t('hint.refunds')} {...edited.field('refunds')} />
            </section>
            <Money edited={edited} />
            <Seller edited={edited} />
            <Donations edited={edited} />
            <ServerSettings title={t('section.deadlines')} names={['MARQUEE_CART_HOLD', 'MARQUEE_ORDER_HOLD']} />
          </div>
        )}
      </SiteForm>
    </SettingsPage>
  );
}

/** Seller on invoices. */
function Seller({ edited }: { edited: EditedSite<Fields> }) {
  return (
    <section className="form-section" aria-labelledby="seller">
      <h2 id="seller">{t('section.seller')}</h2>
      <p className="hint">{t(edited.record.invoices ? 'hint.seller' : 'hint.seller.off')}</p>
      <div className="form-row">
        <TextField label={labelOf('seller_name')} {...partOf(edited, 'seller_name', 'seller')} maxLength={200} />
        <TextField label={labelOf('vat_number')} {...partOf(edited, 'vat_number', 'seller')} maxLength={50} />
      </div>
      <TextField
        label={labelOf('seller_address')}
        {...partOf(edited, 'seller_address', 'seller')}
        rows={3}
        maxLength={500}
      />
      <TextField
        label={labelOf('seller_note')}
        {...partOf(edited, 'seller_note', 'seller')}
        hint={t('hint.seller_note')}
        rows={3}
        maxLength={1000}
      />
      <TextField
        label={labelOf('number_prefix')}
        {...partOf(edited, 'number_prefix', 'seller')}
        hint={t('hint.number_prefix')}
        maxLength={10}
      />
    </section>
  );
}

/** Whether the cart asks for a donation, and for which ones. */
function Donations({ edited: { field, values } }: { edited: EditedSite<Fields> }) {
  const { value, onChange } = field('accepts_donations');
  return (
    <section className="form-section" aria-labelledby="donations">
      <h2 id="donations">{labelOf('accepts_donations')}</h2>
      <Switch isSelected={value} onChange={onChange}>
        {t('donations.yes')}
      </Switch>
      {values.accepts_donations && (
        <TextField
          label={labelOf('donation_amounts')}
          hint={t('hint.donation_amounts')}
          {...field('donation_amounts')}
          maxLength={100}
        />
      )}
    </section>
  );
}

/** Maximum length of a currency symbol. */
const MAX_SYMBOL = 10;

function Money({ edited: { record, field } }: { edited: EditedSite<Fields> }) {
  const { fixed } = record;
  const currency = { label: labelOf('currency'), ...field('currency') };
  const symbol = { label: labelOf('currency_symbol'), ...field('currency_symbol') };
  return (
    <section className="form-section" aria-labelledby="money">
      <h2 id="money">{t('section.money')}</h2>
      <div className="form-row">
        {fixed.includes('currency') ? (
          <LockedField {...currency} variable="MARQUEE_CURRENCY" />
        ) : (
          <SelectField {...currency} hint={t('hint.currency')} choices={currenciesWith(currency.value)} />
        )}
        {fixed.includes('currency_symbol') ? (
          <LockedField {...symbol} variable="MARQUEE_CURRENCY_SYMBOL" />
        ) : (
          <TextField {...symbol} hint={t('hint.currency_symbol')} maxLength={MAX_SYMBOL} />
        )}
      </div>
    </section>
  );
}
