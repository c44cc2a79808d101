import type { CancellationRule, PaymentWay } from '../../../../packages/client/src/marquee-client.ts';
import { currenciesWith } from '../../i18n/formats.ts';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { RichText } from '../../ui/rich-text/rich-text.tsx';
import { CancellationField, ruleText } from './cancellation-field.tsx';
import { LockedField } from './fields.tsx';
import { PaymentWays } from './payment-ways.tsx';
import { t } from './routes.ts';
import { ServerSettings } from './server-settings.tsx';
import { type EditedSite, SettingsPage, SiteForm } from './settings-page.tsx';
import { saleKind } from './site-kinds.ts';

type Fields = ReturnType<typeof saleKind.fieldsOf>;

const labelOf = (name: string): string => t(`field.${name as keyof Fields}`);

function show(name: string, value: unknown): string {
  if (name === 'cancellation') return ruleText(value as CancellationRule);
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
              <PaymentWays {...edited.field('payment_ways')} />
            </section>
            <section className="form-section" aria-labelledby="cancellation">
              <h2 id="cancellation">{labelOf('cancellation')}</h2>
              <CancellationField {...edited.field('cancellation')} />
            </section>
            <section className="form-section" aria-labelledby="terms">
              <h2 id="terms">{labelOf('terms')}</h2>
              <RichText label={t('terms.text')} hint={t('hint.terms')} {...edited.field('terms')} />
            </section>
            <Money edited={edited} />
            <ServerSettings title={t('section.deadlines')} names={['MARQUEE_CART_HOLD', 'MARQUEE_ORDER_HOLD']} />
          </div>
        )}
      </SiteForm>
    </SettingsPage>
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
