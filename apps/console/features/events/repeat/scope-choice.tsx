import { useQuery } from '@tanstack/react-query';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import type { Event } from '../../../../../packages/client/src/marquee-client.ts';
import { read } from '../../../data/queries.ts';
import { t } from './repeat-field.tsx';

const SCOPES = ['this', 'following', 'all'] as const;
/** Events of a series that a change concerns. */
export type Scope = (typeof SCOPES)[number];

interface ScopeChoiceProps {
  event: Event;
  value: Scope;
  onChange: (scope: Scope) => void;
  /** Whether only this event can change, since its day does. */
  isAlone?: boolean;
}

/** Chooses whether a change concerns an event alone, later ones too, or all upcoming ones. */
export function ScopeChoice({ event, value, onChange, isAlone = false }: ScopeChoiceProps) {
  const { data } = useQuery(read('GET /events/v1/series/{id}', { id: event.series?.id ?? 0 }));
  if (isAlone) return <p className="hint">{t('scope.day')}</p>;
  return (
    <>
      <RadioGroup
        className="choices"
        aria-label={t('scope')}
        value={value}
        onChange={(chosen) => onChange(SCOPES.find((one) => one === chosen) ?? 'this')}
      >
        {SCOPES.map((one) => (
          <Radio key={one} value={one} className="choice">
            <span>{t(`scope.${one}`)}</span>
          </Radio>
        ))}
      </RadioGroup>
      {value !== 'this' && (
        <p className="hint" role="status">
          {value === 'all' && data ? t('scope.coming', { count: data.upcoming }) : null} {t('scope.own')}
        </p>
      )}
    </>
  );
}
