import { Search } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Input } from './input.tsx';

/** Typing pauses this long before the list is asked. */
const PAUSE_MS = 200;

interface SearchBoxProps {
  label: string;
  /** Search that the list shows now. */
  value: string | undefined;
  /** Called once typing pauses; undefined when the box is empty. */
  onSearch: (text: string | undefined) => void;
}

export function SearchBox({ label, value, onSearch }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef(0);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  // Back and "Show all" change the value; the input follows unless somebody is typing in it.
  useEffect(() => {
    if (input.current && document.activeElement !== input.current) input.current.value = value ?? '';
  }, [value]);

  const onType = () => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => onSearch(input.current?.value.trim() || undefined), PAUSE_MS);
  };
  return (
    <div className="relative min-w-48 flex-1 max-sm:basis-full sm:max-w-xs">
      <Search aria-hidden="true" className="pointer-events-none absolute top-3.5 left-3.5 size-4 text-muted" />
      <Input
        ref={input}
        type="search"
        aria-label={label}
        placeholder="Search"
        defaultValue={value}
        onChange={onType}
        className="pl-10"
      />
    </div>
  );
}
