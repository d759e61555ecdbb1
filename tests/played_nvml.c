/* Plays NVIDIA's NVML (libnvidia-ml.so.1) to nvidia-ml-py on a machine without a GPU.
 *
 * PLAYED_NVML names a CSV file of lines "seconds,gpu,quantity,value", read by each nvmlInit. The
 * time is `played_seconds`, which the test sets. The last line of a quantity whose second has come
 * is its value:
 *
 *     A        a number or a text
 *     A+B      A at that line's second, and B more each second, as a counter
 *     !N       NVML's error N instead (3: not supported, 4: no permission, 15: GPU is lost)
 *
 * gpu is an index, or -1 for the system's quantities. `processes` is a list of pid:bytes with
 * spaces between; a number of bytes -1 is one that NVML doesn't know. What the file doesn't name is
 * not supported. With -DBEFORE_510 the library is one of a driver before 510.
 *
 * Names, structures and numbers: NVML API reference; nvidia-ml-py.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SUCCESS, UNINITIALIZED, INVALID_ARGUMENT, NOT_SUPPORTED = 3, INSUFFICIENT_SIZE = 7, DRIVER_NOT_LOADED = 9 };
enum { LINES = 256, GPUS = 8, SYSTEM = -1 };

typedef struct { double second; int gpu; char quantity[32], value[128]; } Line;
typedef struct { char any; } Device;
typedef struct { unsigned long long total, free, used; } Memory;
typedef struct { unsigned version; unsigned long long total, reserved, free, used; } Memory2;
typedef struct { unsigned gpu, memory; } Utilisation;
typedef struct { unsigned pid; unsigned long long bytes; unsigned gpu_instance, compute_instance; } Process;

static Line lines[LINES];
static int line_count;
static Device devices[GPUS];
double played_seconds;

/* Puts a quantity's value now into `text`; returns NVML's status. */
static int text_of(const char *quantity, int gpu, char *text, unsigned size) {
    const Line *line = NULL;
    for (const Line *each = lines; each < lines + line_count; each++)
        if (each->gpu == gpu && !strcmp(each->quantity, quantity) && each->second <= played_seconds)
            line = each;
    if (!line) return NOT_SUPPORTED;
    if (line->value[0] == '!') return atoi(line->value + 1);
    double first, rate;
    if (sscanf(line->value, "%lf+%lf", &first, &rate) == 2)
        snprintf(text, size, "%.0f", first + rate * (played_seconds - line->second));
    else
        snprintf(text, size, "%s", line->value);
    return SUCCESS;
}

static int number_of(const char *quantity, Device *device, unsigned long long *number) {
    char text[sizeof lines->value];
    int status = text_of(quantity, device - devices, text, sizeof text);
    *number = status ? 0 : strtoull(text, NULL, 10);
    return status;
}

int nvmlInitWithFlags(unsigned flags) {
    (void)flags;
    const char *path = getenv("PLAYED_NVML");
    FILE *file = path ? fopen(path, "r") : NULL;
    if (!file) return DRIVER_NOT_LOADED;
    line_count = 0;
    for (Line *line = lines; line_count < LINES; line++, line_count++)
        if (fscanf(file, "%lf,%d,%31[^,],%127[^\n]\n", &line->second, &line->gpu, line->quantity,
                   line->value) != 4 || line->gpu >= GPUS)
            break;
    int is_read = feof(file);
    fclose(file);
    char text[1];
    int status = text_of("init", SYSTEM, text, sizeof text);
    if (status == NOT_SUPPORTED) status = SUCCESS;
    return is_read ? status : UNINITIALIZED;
}
int nvmlInit_v2(void) { return nvmlInitWithFlags(0); }

const char *nvmlErrorString(int status) {
    (void)status;
    return "played error";
}

int nvmlSystemGetDriverVersion(char *text, unsigned size) {
    return text_of("driver", SYSTEM, text, size);
}

int nvmlDeviceGetCount_v2(unsigned *count) {
    *count = 0;
    for (int i = 0; i < line_count; i++)
        if (lines[i].gpu >= (int)*count) *count = lines[i].gpu + 1;
    return SUCCESS;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, Device **device) {
    char text[sizeof lines->value];
    *device = &devices[index];
    int status = text_of("handle", index, text, sizeof text);
    return status == NOT_SUPPORTED ? SUCCESS : status;
}

#define TEXT(function, quantity) \
    int function(Device *device, char *text, unsigned size) { \
        return text_of(quantity, device - devices, text, size); \
    }
#define NUMBER(function, quantity, type) \
    int function(Device *device, type *number) { \
        unsigned long long value; \
        int status = number_of(quantity, device, &value); \
        *number = value; \
        return status; \
    }
TEXT(nvmlDeviceGetUUID, "uuid")
TEXT(nvmlDeviceGetName, "name")
NUMBER(nvmlDeviceGetPowerUsage, "milliwatts", unsigned)
NUMBER(nvmlDeviceGetEnforcedPowerLimit, "limit_milliwatts", unsigned)
NUMBER(nvmlDeviceGetTotalEnergyConsumption, "millijoules", unsigned long long)
NUMBER(nvmlDeviceGetCurrentClocksThrottleReasons, "throttle_reasons", unsigned long long)

int nvmlDeviceGetTemperature(Device *device, unsigned sensor, unsigned *degrees) {
    unsigned long long value;
    int status = sensor ? INVALID_ARGUMENT : number_of("celsius", device, &value);
    if (!status) *degrees = value;
    return status;
}

int nvmlDeviceGetClockInfo(Device *device, unsigned clock, unsigned *megahertz) {
    unsigned long long value;
    int status = clock == 1 ? number_of("sm_megahertz", device, &value) : INVALID_ARGUMENT;
    if (!status) *megahertz = value;
    return status;
}

int nvmlDeviceGetCudaComputeCapability(Device *device, int *major, int *minor) {
    char text[sizeof lines->value];
    int status = text_of("capability", device - devices, text, sizeof text);
    if (!status) sscanf(text, "%d.%d", major, minor);
    return status;
}

int nvmlDeviceGetUtilizationRates(Device *device, Utilisation *rates) {
    unsigned long long value;
    int status = number_of("utilisation", device, &value);
    *rates = (Utilisation){value, 0};
    return status;
}

static int memory_of(Device *device, Memory2 *memory) {
    int of_total = number_of("total_bytes", device, &memory->total);
    int of_used = number_of("used_bytes", device, &memory->used);
    int of_reserved = number_of("reserved_bytes", device, &memory->reserved);
    memory->free = memory->total - memory->used - memory->reserved;
    return of_total ? of_total : of_used ? of_used : of_reserved;
}

/* What the first version counts as used includes what the driver reserves. */
int nvmlDeviceGetMemoryInfo(Device *device, Memory *memory) {
    Memory2 apart;
    int status = memory_of(device, &apart);
    *memory = (Memory){apart.total, apart.free, apart.used + apart.reserved};
    return status;
}

static int processes_of(Device *device, unsigned *count, Process *processes) {
    char text[sizeof lines->value];
    int status = text_of("processes", device - devices, text, sizeof text);
    unsigned room = *count;
    *count = 0;
    for (char *word = status ? NULL : strtok(text, " "); word; word = strtok(NULL, " ")) {
        unsigned pid;
        long long bytes;
        sscanf(word, "%u:%lld", &pid, &bytes);
        if (*count < room) processes[*count] = (Process){pid, bytes, -1u, -1u};
        ++*count;
    }
    return !status && *count > room ? INSUFFICIENT_SIZE : status;
}
int nvmlDeviceGetComputeRunningProcesses_v2(Device *device, unsigned *count, Process *processes) {
    return processes_of(device, count, processes);
}

#ifndef BEFORE_510
int nvmlDeviceGetComputeRunningProcesses_v3(Device *device, unsigned *count, Process *processes) {
    return processes_of(device, count, processes);
}

int nvmlDeviceGetMemoryInfo_v2(Device *device, Memory2 *memory) {
    return memory_of(device, memory);
}
#endif
