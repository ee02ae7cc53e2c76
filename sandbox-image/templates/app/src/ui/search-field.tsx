import { Search, X } from 'lucide-react';
import { Key } from './button.tsx';
import { Icon } from './icon.tsx';

interface SearchFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** “Search 46 items”. */
  readonly label: string;
  readonly className?: string;
}

/** The key `/` goes to the first one on the page. */
export function SearchField({ value, onChange, label, className = '' }: SearchFieldProps) {
  return (
    <div className={`search ${className}`}>
      <Icon of={Search} />
      <input
        type="search"
        data-search
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          if (value === '') event.currentTarget.blur();
          else onChange('');
        }}
      />
      {value === '' ? (
        <Key>/</Key>
      ) : (
        <button type="button" aria-label="Clear search" onClick={() => onChange('')}>
          <Icon of={X} size={14} />
        </button>
      )}
    </div>
  );
}
