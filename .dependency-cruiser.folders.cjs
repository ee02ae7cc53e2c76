// Cycles between folders. Tests are left out: they may look at anything, so with them every folder needs every other.
const base = require('./.dependency-cruiser.cjs');

module.exports = {
  forbidden: [
    {
      name: 'no-circular-folders',
      comment: 'Two folders that need each other are one folder, or lack a third.',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
  ],
  options: { ...base.options, exclude: { path: [base.options.exclude.path, '\\.test\\.tsx?$', '^(test|scripts)/'] } },
};
