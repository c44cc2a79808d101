import type { ReactNode } from 'react';
import { Switch as AriaSwitch, type SwitchProps } from 'react-aria-components/Switch';

/** Something that is on or off at once. */
export function Switch({ children, ...props }: Omit<SwitchProps, 'children' | 'className'> & { children: ReactNode }) {
  return (
    <AriaSwitch {...props} className="switch">
      <span className="switch-track" aria-hidden="true" />
      {children}
    </AriaSwitch>
  );
}
