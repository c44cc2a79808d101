import type { ReactNode } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { t } from '../i18n/texts.ts';
import { Button, IconButton } from './button.tsx';

interface DialogBoxProps {
  title: string;
  /** Without it, the dialog has to be answered. */
  onClose?: () => void;
  /** `alertdialog` for a question that has to be answered. */
  role?: 'dialog' | 'alertdialog';
  /** Buttons below the content, the primary one last. */
  actions?: ReactNode;
  /** Beside the page, at the end of its lines, instead of over its middle. */
  isPanel?: boolean;
  children: ReactNode;
}

/** A dialog, or with `isPanel` a panel at the side. Escape and a press outside close it. */
export function DialogBox({ title, onClose, role = 'dialog', actions, isPanel = false, children }: DialogBoxProps) {
  return (
    <ModalOverlay
      isOpen
      isDismissable={role === 'dialog'}
      isKeyboardDismissDisabled={!onClose}
      onOpenChange={() => onClose?.()}
      className={isPanel ? 'overlay panel-overlay' : 'overlay'}
    >
      <Modal className={isPanel ? 'modal panel' : 'modal'}>
        <Dialog role={role} className="dialog">
          <header className="dialog-head">
            <Heading slot="title" level={2} className="clamped">
              {title}
            </Heading>
            {onClose && <IconButton icon="close" label={t('close')} onPress={onClose} />}
          </header>
          <div className="dialog-content">{children}</div>
          {actions && <footer className="dialog-foot">{actions}</footer>}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

interface SecretSheetProps {
  title: string;
  onClose: () => void;
  /** Buttons before the one that closes it. */
  actions?: ReactNode;
  children: ReactNode;
}

/** Shows a secret that is shown once: only its button closes it. */
export function SecretSheet({ title, onClose, actions, children }: SecretSheetProps) {
  const close = (
    <>
      {actions}
      <Button look="primary" onPress={onClose}>
        {t('close')}
      </Button>
    </>
  );
  return (
    <DialogBox title={title} role="alertdialog" actions={close}>
      {children}
    </DialogBox>
  );
}
