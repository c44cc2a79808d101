import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps as AriaProps } from 'react-aria-components/Button';
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import type { IconName } from '../../client/icons.ts';
import { Icon } from './icon.tsx';

interface ButtonProps extends Omit<AriaProps, 'children' | 'className' | 'style'> {
  children: ReactNode;
  icon?: IconName;
  /** One button of a screen is the primary one; `bad` is for what cannot be undone, `plain` has no border. */
  look?: 'primary' | 'plain' | 'bad';
}

/** A button with a verb. */
export function Button({ children, icon, look, isPending = false, ...props }: ButtonProps) {
  // The pending state of the library announces an element that is gone once the work is done.
  const waiting = isPending && ({ type: 'button', onPress: () => undefined } as const);
  return (
    <AriaButton {...props} {...waiting} className={`button ${look ?? ''} ${isPending ? 'pending' : ''}`}>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </AriaButton>
  );
}

interface IconButtonProps extends Omit<AriaProps, 'children' | 'className' | 'style'> {
  icon: IconName;
  /** What it does, as its name and its tooltip. */
  label: string;
}

/** A button of a toolbar that shows only an icon. */
export function IconButton({ icon, label, ...props }: IconButtonProps) {
  return (
    <TooltipTrigger delay={500}>
      <AriaButton {...props} aria-label={label} className="icon-button">
        <Icon name={icon} />
      </AriaButton>
      <Tooltip className="tooltip" offset={6}>
        {label}
      </Tooltip>
    </TooltipTrigger>
  );
}
