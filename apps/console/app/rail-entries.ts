import { hasRight, useMe, useSite } from '../data/account.ts';
import { RAIL, type RailEntry } from './rail.ts';

/** The screens that this account may open on this site. */
export function useRailEntries(): RailEntry[] {
  const me = useMe();
  const { languages } = useSite();
  return RAIL.filter(
    ({ rights = [], isForSeveralLanguages }) =>
      hasRight(me, ...rights) && (!isForSeveralLanguages || languages.length > 1),
  );
}
