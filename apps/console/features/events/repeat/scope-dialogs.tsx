import { useState } from 'react';
import type { Event } from '../../../../../packages/client/src/marquee-client.ts';
import type { Problem } from '../../../../client/problem.ts';
import { Button } from '../../../ui/button.tsx';
import { DialogBox } from '../../../ui/dialog-box.tsx';
import { t } from './repeat-field.tsx';
import { type Scope, ScopeChoice } from './scope-choice.tsx';

export type ScopedAct = 'save' | 'publish' | 'pending' | 'trash';

interface ScopeDialogProps {
  event: Event;
  act: ScopedAct;
  isAlone: boolean;
  onChoose: (scope: Scope) => void;
  onClose: () => void;
}

/** Asks which events of a series an action concerns. */
export function ScopeDialog({ event, act, isAlone, onChoose, onClose }: ScopeDialogProps) {
  const [scope, setScope] = useState<Scope>('this');
  return (
    <DialogBox
      title={t(`scope.title.${act}`)}
      onClose={onClose}
      actions={
        <Button look={act === 'trash' ? 'bad' : 'primary'} onPress={() => onChoose(scope)}>
          {t(`scope.act.${act}`)}
        </Button>
      }
    >
      <ScopeChoice event={event} value={scope} onChange={setScope} isAlone={isAlone} />
    </DialogBox>
  );
}

interface HeldDialogProps {
  /** The refusal, with the numbers of events, people and places. */
  problem: Problem;
  onConfirm: () => void;
  onClose: () => void;
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** Asks before a change of events with ticket holders: shows their number, and what they notice. */
export function HeldDialog({ problem: { data }, onConfirm, onClose }: HeldDialogProps) {
  const [events, holders, held] = [data.occurrences, data.holders, data.held].map(numberOf);
  return (
    <DialogBox
      title={t('held.title')}
      role="alertdialog"
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('held.back')}</Button>
          <Button look="bad" onPress={onConfirm}>
            {t('held.act')}
          </Button>
        </>
      }
    >
      <p>{t('held.events', { count: events ?? 0 })}</p>
      <ul className="consequences">
        {(holders ?? 0) > 0 && <li>{t('held.holders', { count: holders ?? 0 })}</li>}
        {(held ?? 0) > 0 && <li>{t('held.carts', { count: held ?? 0 })}</li>}
      </ul>
      <p>{t('held.text')}</p>
    </DialogBox>
  );
}
