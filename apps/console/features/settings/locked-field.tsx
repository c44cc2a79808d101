import type { ReactNode } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { t } from './routes.ts';

interface LockedFieldProps {
  label: string;
  value: ReactNode;
  /** The variable of the server's environment that decides it. */
  variable: string;
}

/** A setting that the environment of the server decides. */
export function LockedField({ label, value, variable }: LockedFieldProps) {
  return (
    <dl className="locked">
      <dt className="label">{label}</dt>
      <dd>
        <Icon name="lock" />
        <span>{value}</span>
      </dd>
      <dd className="hint">{t('locked', { variable })}</dd>
    </dl>
  );
}
