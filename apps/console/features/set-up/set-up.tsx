import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useRight, useSite } from '../../data/account.ts';
import { Page } from '../../shared/screen/page.tsx';
import { Icon } from '../../ui/icon.tsx';
import { NoRight } from '../../ui/states.tsx';
import { EventStep } from './event-step.tsx';
import { PasswordStep } from './password-step.tsx';
import { STEPS, type Step, stepAfter, t } from './routes.ts';
import { SiteStep } from './site-step.tsx';
import { VenueStep } from './venue-step.tsx';
import './set-up.css';

const route = getRouteApi('/set-up');

const COMPONENTS = { password: PasswordStep, site: SiteStep, venue: VenueStep, event: EventStep } as const;

/** First steps of the first administrator. Each is saved on its own and optional. */
export function Screen() {
  const { step = 'password' } = route.useSearch();
  const navigate = route.useNavigate();
  const mayManage = useRight('manage_site');
  if (!mayManage)
    return (
      <Page title={t('title')}>
        <NoRight />
      </Page>
    );
  const next = () => void navigate({ search: { step: stepAfter(step) } });
  return (
    <Page title={t('title')} note={<Progress step={step} />}>
      <div className="column">{step === 'done' ? <DoneStep /> : <Shown key={step} step={step} onNext={next} />}</div>
    </Page>
  );
}

function Shown({ step, onNext }: { step: Exclude<Step, 'done'>; onNext: () => void }) {
  const Component = COMPONENTS[step];
  return <Component onNext={onNext} />;
}

const Progress = ({ step }: { step: Step }) => (
  <span role="status">{t('progress', { step: STEPS.indexOf(step) + 1, steps: STEPS.length })}</span>
);

/** Links to the next screens. */
function DoneStep() {
  const { url } = useSite();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className="form-section" aria-labelledby="step">
      <h2 id="step" ref={heading} tabIndex={-1}>
        {t('done')}
      </h2>
      <ul className="cards">
        <li className="card">
          <a href={url}>{t('done.page')}</a>
          <Icon name="right" />
        </li>
        <li className="card">
          <Link to="/settings/embeds">{t('done.embed')}</Link>
          <Icon name="right" />
        </li>
        <li className="card">
          <Link to="/door">{t('done.door')}</Link>
          <Icon name="right" />
        </li>
      </ul>
      <div>
        <Link to="/" className="button primary">
          {t('done.console')}
        </Link>
      </div>
    </section>
  );
}
