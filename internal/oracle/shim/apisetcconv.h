/* Included by perflib.h: how its functions are imported, of which none is called. */
#ifndef WINADVAPI
#define WINADVAPI
#endif
