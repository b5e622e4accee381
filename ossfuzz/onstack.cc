// Goroutines have small stacks without a guard behind them, so a signal's handler must run on
// a stack of its own. Not every libFuzzer asks for one: the alarm by which it looks for inputs
// that take too long then writes over whatever lies below a goroutine, a few times a minute.
// The linker sends each call of sigaction here.
// Source: https://github.com/golang/go/issues/49075, https://github.com/llvm/llvm-project/pull/147422

#include <signal.h>

extern "C" int __real_sigaction(int, const struct sigaction *, struct sigaction *);

extern "C" int __wrap_sigaction(int number, const struct sigaction *action, struct sigaction *before) {
	if (action == nullptr)
		return __real_sigaction(number, nullptr, before);
	struct sigaction on_stack = *action;
	on_stack.sa_flags |= SA_ONSTACK;
	return __real_sigaction(number, &on_stack, before);
}
