import { ExternalLink, LogOut } from 'lucide-react';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { DropdownItem, DropdownLabel, DropdownMenu, DropdownSeparator } from '../../ui/dropdown-menu.tsx';

interface UserMenuProps {
  email: string;
  onSignOut: () => void;
}

export function UserMenu({ email, onSignOut }: UserMenuProps) {
  return (
    <DropdownMenu
      trigger={
        <Button variant="ghost" size="icon" aria-label="Your account">
          <Avatar name={email} className="size-8 rounded-full" />
        </Button>
      }
    >
      <DropdownLabel>{email}</DropdownLabel>
      <DropdownSeparator />
      <DropdownItem asChild>
        <a href="/" target="_blank" rel="noopener">
          <ExternalLink aria-hidden="true" />
          View site
        </a>
      </DropdownItem>
      <DropdownItem onSelect={onSignOut}>
        <LogOut aria-hidden="true" />
        Sign out
      </DropdownItem>
    </DropdownMenu>
  );
}
