import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps as AriaProps } from 'react-aria-components/Button';
import { Tooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import type { IconName } from './icon.tsx';
import { Icon } from './icon.tsx';

interface ButtonProps extends Omit<AriaProps, 'children' | 'className' | 'style'> {
  children: ReactNode;
  icon?: IconName;
  /** A screen has one primary button; `bad` is for destructive actions, `plain` has no border. */
  look?: 'primary' | 'plain' | 'bad';
}

/** Button with a verb as its label. */
export function Button({ children, icon, look, isPending = false, ...props }: ButtonProps) {
  // Not the pending state of the library, which announces an element that disappears afterwards.
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
  /** Accessible name and tooltip. */
  label: string;
}

/** Button with an icon only. */
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
