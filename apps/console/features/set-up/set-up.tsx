import { getRouteApi } from '@tanstack/react-router';
import { useRight } from '../../data/account.ts';
import { Page } from '../../shared/screen/page.tsx';
import { NoRight } from '../../ui/states.tsx';
import { DoneStep } from './done-step.tsx';
import { EventStep } from './event-step.tsx';
import { PasswordStep } from './password-step.tsx';
import { t } from './routes.ts';
import { SiteStep } from './site-step.tsx';
import { STEPS, type Step, stepAfter } from './steps.ts';
import { VenueStep } from './venue-step.tsx';

const route = getRouteApi('/set-up');

const COMPONENTS = { password: PasswordStep, site: SiteStep, venue: VenueStep, event: EventStep } as const;

/** What the first administrator does first. Each step saves for itself, and none is needed. */
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
