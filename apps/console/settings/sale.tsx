import type { CancellationRule, PaymentWay } from '../../../packages/client/src/marquee-client.ts';
import { RichText } from '../parts/rich-text/rich-text.tsx';
import { CancellationField, ruleText } from './cancellation-field.tsx';
import { PaymentWays } from './payment-ways.tsx';
import { ServerSettings } from './server-settings.tsx';
import { SettingsPage } from './settings-page.tsx';
import { SiteForm } from './site-form.tsx';
import { saleKind } from './site-kinds.ts';
import { t } from './texts.ts';

type Fields = ReturnType<typeof saleKind.fieldsOf>;

const labelOf = (name: string): string => t(`field.${name as keyof Fields}`);

function show(name: string, value: unknown): string {
  if (name === 'cancellation') return ruleText(value as CancellationRule);
  if (name === 'payment_ways') return (value as PaymentWay[]).map((way) => way.name).join(', ');
  return String(value);
}

/** How tickets are paid and given back, and under which terms. */
export function Screen() {
  return (
    <SettingsPage name="sale">
      <SiteForm kind={saleKind} labelOf={labelOf} show={show}>
        {({ record, field }) => (
          <div className="settings-form">
            <section className="form-section" aria-label={labelOf('payment_ways')}>
              <PaymentWays {...field('payment_ways')} />
            </section>
            <section className="form-section" aria-labelledby="cancellation">
              <h2 id="cancellation">{labelOf('cancellation')}</h2>
              <CancellationField {...field('cancellation')} />
            </section>
            <section className="form-section" aria-labelledby="terms">
              <h2 id="terms">{labelOf('terms')}</h2>
              <RichText label={t('terms.text')} hint={t('hint.terms')} {...field('terms')} />
            </section>
            <ServerSettings
              title={t('section.money')}
              names={['MARQUEE_CURRENCY', 'MARQUEE_CURRENCY_SYMBOL', 'MARQUEE_CART_HOLD', 'MARQUEE_ORDER_HOLD']}
              values={{ MARQUEE_CURRENCY: record.currency, MARQUEE_CURRENCY_SYMBOL: record.currency_symbol }}
            />
          </div>
        )}
      </SiteForm>
    </SettingsPage>
  );
}
