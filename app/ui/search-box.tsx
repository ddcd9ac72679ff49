import { Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { Input } from './input.tsx';

const DEBOUNCE_MS = 200;

interface SearchBoxProps {
  label: string;
  /** Current search. */
  value: string | undefined;
  /** Called after the debounce. Undefined if empty. */
  onSearch: (text: string | undefined) => void;
}

export function SearchBox({ label, value, onSearch }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef(0);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  // Navigating back and "Show all" change the value. Update the input unless the user is typing.
  useEffect(() => {
    if (input.current && document.activeElement !== input.current) input.current.value = value ?? '';
  }, [value]);

  const onType = () => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => onSearch(input.current?.value.trim() || undefined), DEBOUNCE_MS);
  };
  const clearOnEscape = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Escape' || event.currentTarget.value === '') return;
    // Chrome would also clear the input, but only after the debounce.
    event.preventDefault();
    window.clearTimeout(timer.current);
    event.currentTarget.value = '';
    onSearch(undefined);
  };
  return (
    <div className="relative min-w-36 flex-1 sm:max-w-xs">
      <Search aria-hidden="true" className="pointer-events-none absolute top-3.5 left-3.5 size-4 text-muted" />
      <Input
        ref={input}
        type="search"
        aria-label={label}
        placeholder="Search"
        defaultValue={value}
        onChange={onType}
        onKeyDown={clearOnEscape}
        className="pl-10"
      />
    </div>
  );
}
