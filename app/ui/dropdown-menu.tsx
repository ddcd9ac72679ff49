import { clsx } from 'clsx';
import { Ellipsis } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { Button } from './button.tsx';

interface DropdownMenuProps {
  /** Button that opens the menu. */
  trigger: ReactNode;
  align?: 'start' | 'center' | 'end';
  side?: 'top' | 'right' | 'bottom' | 'left';
  children: ReactNode;
}

export function DropdownMenu({ trigger, align = 'end', side = 'bottom', children }: DropdownMenuProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 min-w-48 rounded-md border border-line bg-surface p-1.5 shadow-md data-[state=open]:animate-fade"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface ActionsMenuProps extends Pick<ComponentProps<typeof Button>, 'ref' | 'loading' | 'className' | 'aria-label'> {
  children: ReactNode;
}

/** Menu behind a "..." button, for the actions of a row or list that are rarely used. */
export function ActionsMenu({ children, ...button }: ActionsMenuProps) {
  return (
    <DropdownMenu
      trigger={
        <Button variant="ghost" size="icon" {...button}>
          <Ellipsis aria-hidden="true" />
        </Button>
      }
    >
      {children}
    </DropdownMenu>
  );
}

interface DropdownItemProps extends ComponentProps<typeof Radix.Item> {
  destructive?: boolean;
}

export function DropdownItem({ destructive = false, className, ...rest }: DropdownItemProps) {
  return (
    <Radix.Item
      {...rest}
      className={clsx(
        'flex min-h-9 cursor-pointer items-center gap-2.5 rounded-sm px-2.5 text-[0.9375rem] outline-none select-none',
        'data-disabled:opacity-50 data-highlighted:bg-sunken [&_svg]:size-4 [&_svg]:shrink-0',
        destructive ? 'text-danger' : 'text-ink [&_svg]:text-muted',
        className,
      )}
    />
  );
}

export function DropdownLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2.5 py-1.5 text-sm text-muted">{children}</Radix.Label>;
}

export function DropdownSeparator() {
  return <Radix.Separator className="-mx-1.5 my-1.5 h-px bg-line" />;
}
