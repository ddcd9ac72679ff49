import { Link } from '@tanstack/react-router';
import { ExternalLink, LogOut, UserCog } from 'lucide-react';
import { Avatar } from '../../ui/avatar.tsx';
import { DropdownItem, DropdownLabel, DropdownMenu, DropdownSeparator } from '../../ui/dropdown-menu.tsx';

interface UserMenuProps {
  email: string;
  onSignOut: () => void;
}

export function UserMenu({ email, onSignOut }: UserMenuProps) {
  return (
    <DropdownMenu
      trigger={
        <button type="button" aria-label="Your account" className="grid size-11 place-items-center rounded-md">
          <Avatar name={email} className="size-8 rounded-full" />
        </button>
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
      <DropdownItem asChild>
        <Link to="/account">
          <UserCog aria-hidden="true" />
          Account
        </Link>
      </DropdownItem>
      <DropdownItem onSelect={onSignOut}>
        <LogOut aria-hidden="true" />
        Sign out
      </DropdownItem>
    </DropdownMenu>
  );
}
