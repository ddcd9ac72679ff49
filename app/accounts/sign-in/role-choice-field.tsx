import type { RoleChoice } from '../credentials.ts';

const CHOICES = [
  { value: 'client', label: 'Client', description: 'See your projects and reports.' },
  { value: 'team', label: 'Team Member', description: 'Work on outreach with us.' },
] as const;

interface RoleChoiceFieldProps {
  role: RoleChoice;
  onChoose: (role: RoleChoice) => void;
}

export function RoleChoiceField({ role, onChoose }: RoleChoiceFieldProps) {
  return (
    <fieldset className="grid gap-2" aria-describedby={role === 'team' ? 'team-note' : undefined}>
      <legend className="mb-1.5 text-sm font-medium">I am a</legend>
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
        {CHOICES.map((choice) => (
          <label
            key={choice.value}
            className="relative grid min-h-11 cursor-pointer gap-0.5 rounded-md border border-line-strong bg-surface p-4 pl-11 transition-colors duration-150 hover:border-ink has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-3 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name="role"
              value={choice.value}
              checked={role === choice.value}
              onChange={() => onChoose(choice.value)}
              className="absolute top-5 left-4 size-4 accent-accent outline-none"
            />
            <span className="font-medium">{choice.label}</span>
            <span className="text-sm text-balance text-muted">{choice.description}</span>
          </label>
        ))}
      </div>
      {role === 'team' && (
        <p id="team-note" role="status" className="rounded-md bg-signal-soft px-4 py-3 text-sm">
          Team member registrations need admin approval before you can sign in to the team dashboard.
        </p>
      )}
    </fieldset>
  );
}
