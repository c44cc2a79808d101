import { useMutation, useQuery } from '@tanstack/react-query';
import type { Event } from '../../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../../client/call.ts';
import { useMe } from '../../../data/account.ts';
import { refresh } from '../../../data/queries.ts';
import { hasEventRight, MANAGES_ATTENDEES } from '../../../data/rights.ts';
import { Switch } from '../../../ui/fields.tsx';
import { toast, toastProblem } from '../../../ui/toast.tsx';
import type { Scope } from '../repeat/scope-choice.tsx';
import { t } from '../routes.ts';
import type { Consequence } from './consequence.ts';

/** Kinds of announcements by the change of an event. */
const KINDS = { cancelled: 'event_cancelled', postponed: 'event_postponed', moved: 'event_moved' } as const;

/** Number of addresses that a mail about a change would reach; undefined until it is known, or if no mail may be sent. */
export function useRecipients(event: Event, kind: Consequence): number | undefined {
  const { id } = event;
  const mayTell = hasEventRight(useMe(), MANAGES_ATTENDEES, event);
  const { data } = useQuery({
    queryKey: ['holders to tell', id, kind],
    queryFn: () => call('POST /admin/v1/events/{id}/announcements', { id, kind: KINDS[kind], dry_run: true }),
    enabled: mayTell,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  return data?.recipients;
}

/**
 * Writes to the holders of an event's tickets after its change; the note of the change is in the mail. Resolves when that
 * has ended, also after a failure.
 */
export function useTellHolders({ id }: Pick<Event, 'id'>): (kind: Consequence, count: number) => Promise<unknown> {
  const { mutateAsync } = useMutation({
    mutationFn: ({ kind }: { kind: Consequence; count: number }) =>
      call('POST /admin/v1/events/{id}/announcements', { id, kind: KINDS[kind] }),
    onSuccess: (_answer, { count }) => toast(t('acts.told', { count })),
    onError: toastProblem,
    onSettled: () => refresh('/admin/v1/events/{id}/announcements'),
  });
  return (kind, count) => mutateAsync({ kind, count }).catch(() => undefined);
}

interface TellSwitchProps {
  /** Undefined if no mail may be sent. */
  recipients: number | undefined;
  scope: Scope;
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
}

/** Switch for a mail to the holders, or the reason why they get none. */
export function TellSwitch({ recipients, scope, isSelected, onChange }: TellSwitchProps) {
  if (!recipients) return <p className="soft">{t('acts.no_mails')}</p>;
  if (scope !== 'this') return <p className="soft">{t('acts.tell_each')}</p>;
  return (
    <Switch isSelected={isSelected} onChange={onChange}>
      {t('acts.tell', { count: recipients })}
    </Switch>
  );
}
